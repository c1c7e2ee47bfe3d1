// Soft packings into which particles are poured.
#pragma once

#include "packings.hpp"

#include <cstdint>
#include <string>

namespace beadwave::validation {

/// `count` spheres that come between the corners with a velocity.
inline void add_pour(packing::Packing& p, std::size_t count, double radius, packing::Region region,
                     double rate, const packing::Vec3& velocity, std::uint64_t seed = 1) {
    p.pours.push_back(
        {.first = p.particles(), .count = count, .region = region, .rate = rate, .seed = seed});
    for (std::size_t i = 0; i < count; ++i) {
        p.add(radius, steel_mass(radius), 0.5 * (region.lower + region.upper));
        p.velocity.back() = velocity;
        p.angular_velocity.back() = {3.0, -2.0, 5.0};
    }
}

inline packing::Packing soft_packing(const std::string& law) {
    packing::Packing p = steel_packing(law);
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    p.species_list[0].elasticity.yield_stress = 3e5;
    p.gravity = {0.0, 0.0, -9.81};
    return p;
}

/// Adds four walls around a floor of fixed spheres of twice this radius, of which the one in the
/// middle is missing. Returns half the distance of opposite walls [m].
inline double add_leaky_floor(packing::Packing& p, double radius) {
    using packing::Vec3;
    const double half = 6.0 * radius;
    for (const Vec3 side : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
        p.walls.push_back({.shape = packing::Plane{.point = -half * side, .normal = side}});
    for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
            if (i == 0 && j == 0) continue;
            p.add(2.0 * radius, steel_mass(2.0 * radius), {4.0 * i * radius, 4.0 * j * radius, 0});
        }
    }
    p.fixed.assign(p.particles(), true);
    return half;
}

}  // namespace beadwave::validation
