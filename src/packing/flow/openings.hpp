// Where particles come into a packing during the run, and where they leave it.
#pragma once

#include "packing/walls/wall.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>

namespace beadwave::packing {

/// A box along the axes.
struct Region {
    Vec3 lower{}, upper{};  ///< [m]; in the plane z does not count
};

inline std::array<Vec3, 8> corners(const Region& region) {
    std::array<Vec3, 8> all;
    for (std::size_t k = 0; k < 8; ++k) {
        const auto side = [&](std::size_t bit) {
            return (k & bit) != 0 ? region.upper : region.lower;
        };
        all[k] = {side(1).x, side(2).y, side(4).z};
    }
    return all;
}

/// Particles that come during the run, one after another in their order, at random places where
/// they touch neither each other nor anything else.
struct Pour {
    std::size_t first = 0, count = 0;  ///< the particles
    Region region{};                   ///< they are wholly in it when they come
    double rate = 0.0;                 ///< particles per second; 0: as fast as there is room
    double start = 0.0, end = std::numeric_limits<double>::infinity();  ///< [s]
    std::uint64_t seed = 0;

    bool holds(std::size_t particle) const { return particle >= first && particle - first < count; }
    /// How many should have come by `time` [s].
    std::size_t due(double time) const;
};

/// A particle whose centre is behind the plane, on the side that its normal does not point to, or
/// in the region leaves the packing. Fixed particles stay.
struct Exit {
    std::variant<Plane, Region> place{};
};

}  // namespace beadwave::packing
