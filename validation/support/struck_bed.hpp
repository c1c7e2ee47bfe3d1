// A bed at rest that is struck by a few fast spheres: for them lists of pairs reach further.
#pragma once

#include "packings.hpp"

namespace beadwave::validation {

inline constexpr double fast_ball = 60.0;  ///< [m/s]

/// A ball, twice as large as the 1440 of the bed, at `fast_ball`, and one in forty of the bed that
/// flies off with up to two thirds of that.
inline packing::Packing struck_bed(const std::string& law) {
    packing::Packing p = steel_packing(law);
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {12, 12, 10},
                    .radius = steel_radius,
                    .overlap = -0.05 * steel_radius});
    for (std::size_t i = 0; i < p.particles(); i += 40)
        p.velocity[i] = {0.0, 8.0, -20.0 - 0.01 * static_cast<double>(i)};
    p.add(2.0 * steel_radius, steel_mass(2.0 * steel_radius),
          {8.05 * steel_radius, 8.0 * steel_radius, -3.1 * steel_radius});
    p.velocity.back() = {0, 0, fast_ball};
    p.skin = 0.3 * steel_radius;
    return p;
}

}  // namespace beadwave::validation
