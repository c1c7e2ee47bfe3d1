#include "packing/build/scenario.hpp"

namespace beadwave::packing {
namespace {

double per_cell(Lattice lattice) {
    switch (lattice) {
        case Lattice::bcc:
            return 2.0;
        case Lattice::fcc:
        case Lattice::hcp:
            return 4.0;
        default:
            return 1.0;
    }
}

}  // namespace

double Group::particles() const {
    if (const auto* crystal = std::get_if<CrystalPlaces>(&places)) {
        double count = per_cell(crystal->lattice);
        for (const std::int64_t cells : crystal->cells)
            count *= static_cast<double>(cells);
        return count;
    }
    if (const auto* random = std::get_if<RandomPlaces>(&places))
        return static_cast<double>(random->particles);
    if (const auto* listed = std::get_if<ListedPlaces>(&places))
        return static_cast<double>(listed->particles.size());
    return 1.0;
}

double Scenario::particle_count() const {
    double count = 0.0;
    for (const Group& group : groups)
        count += group.particles();
    return count;
}

}  // namespace beadwave::packing
