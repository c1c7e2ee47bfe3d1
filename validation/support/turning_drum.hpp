// Spheres in a closed drum that turns.
#pragma once

#include "normal_numbers.hpp"
#include "packings.hpp"

#include <string>

namespace beadwave::validation {

/// Spheres in a closed turning drum with a piston in it, with friction: a cylinder, two discs, a
/// cone.
inline packing::Packing turning_drum(const std::string& law) {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    const packing::Vec3 axis{0.6, 0.0, 0.8}, across{0.8, 0.0, -0.6}, other{0.0, 1.0, 0.0};
    std::uint64_t number = 0;
    for (int layer = 0; layer < 5; ++layer) {
        for (int i = -4; i <= 4; ++i) {
            for (int k = -4; k <= 4; ++k) {
                if (i * i + k * k > 16) continue;
                const double spacing = 2.02 * steel_radius;
                const packing::Vec3 centre =
                    (spacing * (layer + 1)) * axis + (spacing * i) * across + (spacing * k) * other;
                p.add(steel_radius, steel_mass(steel_radius), centre);
                p.velocity.back() =
                    0.8 * packing::Vec3{normal_number(9, number), normal_number(9, number + 1),
                                        normal_number(9, number + 2)};
                number += 3;
            }
        }
    }
    const double inner = 2.02 * 4.0 * steel_radius + 1.05 * steel_radius;
    const double length = 2.02 * 6.0 * steel_radius;
    p.walls.push_back({.shape = packing::Revolved::cylinder({}, axis, inner, length)});
    p.walls.back().angular_velocity = 40.0;
    p.walls.push_back({.shape = packing::Revolved::disc(0.9 * steel_radius * axis, axis, inner)});
    p.walls.back().angular_velocity = -25.0;
    p.walls.push_back(
        {.shape = packing::Revolved::disc((2.02 * 5.0 + 1.03) * steel_radius * axis, -axis, inner,
                                          0.2 * inner),
         .load = packing::Load{.mass = 2e-3, .force = 10.0, .target_velocity = 0.3, .gain = 2.0}});
    // A chamfer between the lower disc and the cylinder.
    p.walls.push_back(
        {.shape = packing::Revolved{0.9 * steel_radius * axis, axis, inner - 0.5 * steel_radius,
                                    inner, 0.5 * steel_radius},
         .velocity = 0.01 * axis});
    p.gravity = {0, 0, -9.81};
    return p;
}

}  // namespace beadwave::validation
