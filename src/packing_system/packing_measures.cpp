#include "packing_system/measure_sums.hpp"

namespace beadwave::observers {

using packing::Vec3;

Tensor contact_stress(const RegionSums& sums) {
    return scaled(sums.contacts.forces, 1.0 / sums.volume);
}

Tensor bond_stress(const RegionSums& sums) {
    Tensor sum{};
    each_side(sums.inside, std::span(sums.bonds),
              [&](const BondState& bond, const Vec3& arm, double sign) {
                  add(sum, bond.force, arm, sign);
              });
    return scaled(sum, 1.0 / sums.volume);
}

Tensor kinetic_stress(const RegionSums& sums) {
    return scaled(sums.kinetic, 1.0 / sums.volume);
}

Tensor stress(const RegionSums& sums) {
    Tensor contact = contact_stress(sums);
    const Tensor bond = bond_stress(sums), kinetic = kinetic_stress(sums);
    for (std::size_t at = 0; at < contact.size(); ++at)
        contact[at] += bond[at];
    Tensor sum{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const std::size_t at = 3 * i + j, mirrored = 3 * j + i;
            sum[at] =
                0.5 * (contact[at] + contact[mirrored]) + 0.5 * (kinetic[at] + kinetic[mirrored]);
        }
    }
    return sum;
}

double volume_fraction(const RegionSums& sums) {
    return sums.solid / sums.volume;
}

double coordination_number(const RegionSums& sums) {
    return sums.particles > 0.0 ? sums.contacts.sides / sums.particles : 0.0;
}

Tensor fabric(const RegionSums& sums) {
    const ContactSums& contacts = sums.contacts;
    return contacts.sides > 0.0 ? scaled(contacts.normals, 1.0 / contacts.sides) : Tensor{};
}

double rattlers(const MeasuredState& state) {
    return state.rattlers;
}

WallMeasures wall_measures(const RegionSums& sums) {
    WallMeasures all;
    for (std::size_t w = 0; w < sums.walls.size(); ++w) {
        all.position.push_back(sums.packing.walls[w].point() + sums.walls[w].displacement);
        all.velocity.push_back(sums.walls[w].velocity);
    }
    all.force = sums.contacts.walls;
    return all;
}

}  // namespace beadwave::observers
