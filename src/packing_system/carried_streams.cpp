#include "packing_system/carried_streams.hpp"

#include <span>
#include <utility>
#include <vector>

namespace beadwave::running {
namespace {

using packing::Vec3;
using recording::Pace;

/// `vector(k)`: the k-th of them. Samples of a history may begin at any row.
template <class Vector>
recording::Fill fill_with(Vector vector) {
    return [vector](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size() / 3; ++i) {
            const Vec3 v = vector(first + i);
            out[3 * i] = v.x, out[3 * i + 1] = v.y, out[3 * i + 2] = v.z;
        }
    };
}

template <class Element>
std::vector<double> particles_of(const std::vector<Element>& elements) {
    std::vector<double> particles;
    for (const Element& each : elements)
        particles.push_back(static_cast<double>(each.particle));
    return particles;
}

}  // namespace

void add_carried(recording::Description& all, const packing::Packing& packing,
                 const packing::PackingEngine& engine, const std::vector<Vec3>& drive_forces,
                 const std::vector<Vec3>& drive_torques, bool snapshots) {
    const packing::Elements& elements = packing.elements;
    const auto constant = [&](const char* name, const char* unit, std::vector<double> numbers) {
        const std::size_t count = numbers.size();
        all.constants.push_back(
            {std::string("parameters/") + name, name, unit, {count}, all.keep(std::move(numbers))});
    };
    if (const std::size_t count = elements.driven.size(); count > 0) {
        constant("driven_particle", "1", particles_of(elements.driven));
        const auto force = fill_with([&drive_forces](std::size_t k) { return drive_forces[k]; });
        all.streams.push_back(
            {Pace::energy, "", {{"observables/drive_force", "N", {count, 3}, force}}});
        if (elements.turns_particles()) {
            const auto torque =
                fill_with([&drive_torques](std::size_t k) { return drive_torques[k]; });
            all.streams.push_back(
                {Pace::energy, "", {{"observables/drive_torque", "N m", {count, 3}, torque}}});
        }
    }
    if (const std::size_t count = elements.bonds.size(); count > 0) {
        std::vector<double> pairs;
        for (const packing::Bond& bond : elements.bonds) {
            for (const std::size_t particle : {bond.first, bond.second})
                pairs.push_back(static_cast<double>(particle));
        }
        all.constants.push_back(
            {"parameters/bond_pair", "bond_pair", "1", {count, 2}, all.keep(std::move(pairs))});
        if (snapshots) {
            const auto tension = recording::per_item(
                [&engine](std::size_t bond) { return engine.elements().bonds().tension(bond); });
            all.streams.push_back(
                {Pace::snapshots, "", {{"observables/bond_force", "N", {count}, tension}}});
        }
    }
    if (const std::size_t count = elements.resonators.size(); count > 0) {
        constant("resonator_particle", "1", particles_of(elements.resonators));
        std::vector<double> mass;
        for (const packing::Resonator& each : elements.resonators)
            mass.push_back(each.mass);
        constant("resonator_mass", "kg", std::move(mass));
        if (!snapshots) return;
        const auto of = [&engine](Vec3 packing::ElementStepper::InnerMass::*member) {
            return fill_with(
                [&engine, member](std::size_t k) { return engine.elements().inner()[k].*member; });
        };
        using packing::ElementStepper;
        all.streams.push_back({Pace::snapshots,
                               "",
                               {{"observables/resonator_displacement",
                                 "m",
                                 {count, 3},
                                 of(&ElementStepper::InnerMass::displacement)},
                                {"observables/resonator_velocity",
                                 "m s-1",
                                 {count, 3},
                                 of(&ElementStepper::InnerMass::velocity)}}});
    }
}

std::vector<BrokenBonds::Row> broken_rows(const packing::Packing& packing,
                                          const packing::PackingEngine& engine, double after) {
    std::vector<BrokenBonds::Row> rows;
    for (const packing::BrokenBond& broken : engine.broken_bonds(after)) {
        const packing::Bond& bond = packing.elements.bonds[broken.bond];
        rows.push_back({{static_cast<double>(bond.first), static_cast<double>(bond.second)},
                        broken.step,
                        broken.energy});
    }
    return rows;
}

}  // namespace beadwave::running
