// The sums that measures of a packing are made of.
#pragma once

#include "packing_system/packing_measures.hpp"

#include <cstddef>
#include <span>

namespace beadwave::observers {

inline void add(Tensor& sum, const packing::Vec3& a, const packing::Vec3& b, double factor = 1.0) {
    const double row[] = {a.x, a.y, a.z}, column[] = {b.x, b.y, b.z};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            sum[3 * i + j] += factor * row[i] * column[j];
    }
}

inline Tensor scaled(Tensor sum, double factor) {
    for (double& number : sum)
        number *= factor;
    return sum;
}

/// Calls visit(contact, arm, sign) for each particle of each contact, or bond, that is in the
/// region: `arm` from its centre to the point of the forces, `sign` of the forces on it. `inside`:
/// of each particle.
template <class Contact, class Visit>
void each_side(const packing::ParticleColumn<char>& inside, std::span<const Contact> contacts,
               const Visit& visit) {
    for (const Contact& contact : contacts) {
        if (inside[contact.first]) visit(contact, contact.point, 1.0);
        if (contact.second < inside.size() && inside[contact.second])
            visit(contact, contact.point - contact.branch, -1.0);
    }
}

/// The number of particles in the region, not fixed, that carry no force (packing_measures.hpp).
/// The ranks share the search, each with its own numbers; all get the result.
double count_rattlers(const RegionSums& sums, const packing::PackingEngine& engine,
                      ranks::Communicator* ranks);

}  // namespace beadwave::observers
