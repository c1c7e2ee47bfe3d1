#include "packing/build/scenario.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/packing.hpp"

#include <algorithm>
#include <variant>

namespace beadwave::packing {
namespace {

/// Pairs per particle in the neighbour list.
double pairs_per_particle(const Group& group) {
    const auto* const crystal = std::get_if<CrystalPlaces>(&group.places);
    if (crystal == nullptr) return 3.0;  // settled spheres touch about six others
    switch (crystal->lattice) {
        case Lattice::square:
            return 2.0;
        case Lattice::hexagonal:
        case Lattice::simple_cubic:
            return 3.0;
        case Lattice::bcc:
            return 4.0;
        default:
            return 6.0;
    }
}

/// Particles, bodies of the solver, pairs and contacts with their directions [bytes].
double memory_of_rigid(const Scenario& scenario) {
    constexpr double per_particle = 700.0, per_pair = 450.0;
    double bytes = 0.0;
    for (const Group& group : scenario.groups)
        bytes += group.particles() * (per_particle + per_pair * pairs_per_particle(group));
    return bytes;
}

}  // namespace

double memory_needed(const Scenario& scenario, const Packing& packing) {
    if (packing.is_rigid()) return memory_of_rigid(scenario);
    // Measured on fcc crystals of 256,000 to 864,000 particles, six cases within 8 %.
    constexpr double per_particle = 520.0, predicted_motion = 60.0, per_pair = 25.0, number = 9.5;
    constexpr double least_per_pair = 45.0;  // while the list is built
    constexpr double per_contact = 120.0;    // in a snapshot
    constexpr double per_work = 250.0;       // what contacts dissipate, if all pairs touch
    const PairLaws laws(packing);
    const laws::LawTraits& law = laws.normal().traits();
    const bool dashpot = laws::needs_velocity(laws.slider());
    const bool slides = packing.friction.law != laws::FrictionLaw::none;
    const bool rolls = packing.rolling.acts();
    const double numbers = static_cast<double>(law.memory_numbers) + (slides ? 4.0 : 0.0) +
                           (dashpot ? 3.0 : 0.0) + (rolls ? 4.0 : 0.0);
    const bool mixed = scenario.precision == Precision::mixed;
    const double mixed_pair_bytes = slides ? 32.0 : 16.0;
    constexpr double mixed_lines = 192.0;
    const double pair = std::max(per_pair + number * numbers, least_per_pair) +
                        (mixed ? mixed_pair_bytes : 0.0) +
                        (scenario.snapshot_interval ? per_contact : 0.0) +
                        (scenario.knows_contacts() ? per_work : 0.0);
    const double particle = per_particle + (mixed ? mixed_lines : 0.0) +
                            (law.depends_on_speed || dashpot || rolls ? predicted_motion : 0.0);
    // Memory for what particles carry, if all have it.
    const ElementPlans& plans = scenario.elements;
    constexpr double carrier = 600.0, inner_mass = 200.0;
    const double carried =
        (plans.empty() ? 0.0 : carrier) + inner_mass * static_cast<double>(plans.resonators.size());
    // Where radii differ each pair has laws of its own, and their parameters.
    const double parameters = 8.0 * (static_cast<double>(laws.normal().numbers().size()) +
                                     (slides ? 3.0 : 0.0) + 2.0 + (rolls ? 4.0 : 0.0)) +
                              (mixed ? 4.0 * (slides  ? 6.0
                                              : rolls ? 3.0
                                                      : 1.0)
                                     : 0.0);
    double bytes = 0.0;
    for (const Group& group : scenario.groups) {
        const bool differ = group.disorder > 0.0 || group.radii;
        const double by_pair = differ ? parameters + static_cast<double>(sizeof(PairLaw)) : 0.0;
        bytes +=
            group.particles() * (particle + carried + (pair + by_pair) * pairs_per_particle(group));
    }
    return bytes;
}

}  // namespace beadwave::packing
