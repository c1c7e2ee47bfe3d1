// A bonded crystal that several tests tear apart.
#pragma once

#include "packings.hpp"

#include <cmath>
#include <cstddef>

namespace beadwave::validation {

/// A crystal of overlapping rough spheres with bonds, some of which break, that falls apart.
inline packing::Packing torn_crystal() {
    packing::Packing p = soft_rough_crystal("tsuji");
    for (std::size_t i = 0; i < p.particles(); ++i) {
        for (std::size_t j = i + 1; j < p.particles(); ++j) {
            if (size_of(p.position[j] - p.position[i]) > 2.01 * steel_radius) continue;
            p.elements.bonds.push_back({.first = i,
                                        .second = j,
                                        .radius_factor = 0.5,
                                        .youngs_modulus = 5e7,
                                        .stiffness_ratio = 2.0,
                                        .tensile_strength = 3e5 + 1e4 * static_cast<double>(j % 7),
                                        .shear_strength = 4e5});
        }
        p.velocity[i] = {0.4 * std::sin(1.7 * static_cast<double>(i)),
                         0.4 * std::cos(2.3 * static_cast<double>(i)), 0.1};
        p.angular_velocity[i] = {30.0 * std::sin(0.9 * static_cast<double>(i)), 20.0, -10.0};
    }
    return p;
}

}  // namespace beadwave::validation
