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

}  // namespace beadwave::validation
