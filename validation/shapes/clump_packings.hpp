// Clumps in packings, built in code.
#pragma once

#include "packing/packing.hpp"
#include "shapes/clump.hpp"

#include <cmath>
#include <memory>

namespace beadwave::validation {

/// The spheres that the packing has already are no clumps.
inline void add_clump(packing::Packing& p, const std::shared_ptr<const shapes::Clump>& clump,
                      double density, const packing::Vec3& centroid,
                      const shapes::Quaternion& orientation = {}) {
    p.add(clump->radius, density * clump->volume, centroid);
    p.semi_axes.push_back({clump->radius, clump->radius, clump->radius});
    p.orientation.push_back(orientation);
    p.clumps.resize(p.particles());
    p.clumps.back() = clump;
}

/// Two balls, apart by `distance` along x.
inline std::shared_ptr<const shapes::Clump> dumbbell(double radius, double distance) {
    const shapes::Ball balls[] = {{{-0.5 * distance, 0.0, 0.0}, radius},
                                  {{0.5 * distance, 0.0, 0.0}, radius}};
    return shapes::make_clump(balls);
}

/// About y, so that x of the body rises by this angle towards z [rad].
inline shapes::Quaternion raised(double angle) {
    return {std::cos(0.5 * angle), 0.0, -std::sin(0.5 * angle), 0.0};
}

}  // namespace beadwave::validation
