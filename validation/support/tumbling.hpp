// A packing with most features: periodic along x, a wall at rest and a moving one, particles of
// three sizes that move and rotate, and a few fixed ones.
#pragma once

#include "normal_numbers.hpp"
#include "packing/build/lattices.hpp"
#include "packings.hpp"

#include <cstdint>
#include <string>

namespace beadwave::validation {

inline packing::Packing tumbling(const std::string& law, const laws::Friction& friction,
                                 const packing::Crystal& crystal) {
    using packing::Vec3;
    packing::Packing p = steel_packing(law);
    p.friction = friction;
    std::uint64_t number = 0;
    const auto vector = [&](std::uint64_t first) {
        const auto noise = [&](std::uint64_t k) {
            return normal_number(3, 6 * number + first + k);
        };
        return Vec3{noise(0), noise(1), noise(2)};
    };
    for (const Vec3& centre : packing::centres(crystal)) {
        const double radius = steel_radius * (1.0 - 0.01 * static_cast<double>(number % 3));
        p.add(radius, steel_mass(radius), centre);
        p.velocity.back() = 0.5 * vector(0);
        p.angular_velocity.back() = (0.5 / radius) * vector(3);
        if (number % 97 == 5) {
            p.velocity.back() = p.angular_velocity.back() = {};
            p.fixed.resize(p.particles(), false);
            p.fixed.back() = true;
        }
        ++number;
    }
    const double height = packing::period(crystal).z + steel_radius;
    p.walls.push_back({});
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, height}, .normal = {0, 0, -1}},
                       .velocity = {0.2, 0, -0.5}});
    p.box = {.lower = {-steel_radius, 0, 0},
             .upper = packing::period(crystal) - Vec3{steel_radius, 0, 0},
             .periodic = {true, false, false}};
    p.gravity = {0, 0, -9.81};
    return p;
}

}  // namespace beadwave::validation
