// The sums that measures of a packing are made of, for all that is at hand, or piece by piece.
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

/// The velocity of a particle, in a box that strains relative to the affine motion [m/s].
inline packing::Vec3 relative_velocity(const packing::Packing& packing,
                                       const packing::BoxState& box, std::size_t particle,
                                       const packing::Vec3& displacement,
                                       const packing::Vec3& velocity) {
    if (!packing.box.strain) return velocity;
    const packing::Vec3 from_lower =
        (packing.position[particle] - packing.box.lower) + displacement;
    return velocity - box.affine_velocity(from_lower);
}

/// Calls visit(contact, arm, sign) for each particle of each contact, or bond, that is in the
/// region: `arm` from its centre to the point of the forces, `sign` of the forces on it. `inside`:
/// of each particle.
template <class Inside, class Contact, class Visit>
void each_side(const Inside& inside, std::span<const Contact> contacts, const Visit& visit) {
    for (const Contact& contact : contacts) {
        if (inside[contact.first]) visit(contact, contact.point, 1.0);
        if (contact.second < inside.size() && inside[contact.second])
            visit(contact, contact.point - contact.branch, -1.0);
    }
}

/// Sums over the particles of contacts.
struct ContactSums {
    Tensor forces{};     ///< of f_i l_j [J]
    double sides = 0.0;  ///< their number

    template <class Inside>
    void include(const Inside& inside, std::span<const packing::ContactState> contacts) {
        each_side(inside, contacts,
                  [&](const packing::ContactState& c, const packing::Vec3& arm, double sign) {
                      add(forces, c.normal_force + c.tangential_force, arm, sign);
                      sides += 1.0;
                  });
    }
};

/// The sum of -m v_i v_j over particles, with velocities relative to that of their centre of mass
/// [J]. each(visit) calls visit(mass, velocity) for each of them; it is called twice.
template <class Each>
Tensor kinetic_sum(const Each& each) {
    double mass = 0.0;
    packing::Vec3 momentum{};
    each([&](double m, const packing::Vec3& v) { mass += m, momentum += m * v; });
    const packing::Vec3 mean = mass > 0.0 ? (1.0 / mass) * momentum : packing::Vec3{};
    Tensor sum{};
    each([&](double m, const packing::Vec3& v) { add(sum, v - mean, v - mean, -m); });
    return sum;
}

/// The symmetric part of the sum of the three stresses.
inline Tensor symmetric_sum(Tensor contact, const Tensor& bond, const Tensor& kinetic) {
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

/// The sum of f_i l_j over the particles of bonds [J].
template <class Inside>
Tensor bond_sum(const Inside& inside, std::span<const BondState> bonds) {
    Tensor sum{};
    each_side(inside, bonds, [&](const BondState& bond, const packing::Vec3& arm, double sign) {
        add(sum, bond.force, arm, sign);
    });
    return sum;
}

}  // namespace beadwave::observers
