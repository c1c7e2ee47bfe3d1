// Where particles are in the box, or in the range that they take up, for the cells of the search
// for neighbours.
#pragma once

#include "packing/edges.hpp"
#include "packing/neighbours/neighbour_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// Where the particles are among the cells. In a tilted box the cells are as tilted; places are
/// then those that the particles would have without tilt, at the same fractions of the edges.
struct Places {
    std::vector<std::array<double, 3>> from_lower;         // within one period
    std::vector<std::array<std::int32_t, 3>> image;        // periods between a particle and the box
    std::vector<char> known;                               // its position is finite
    std::array<double, 3> size{}, stretch{1.0, 1.0, 1.0};  // stretch: of a distance, by the tilt
    std::array<bool, 3> periodic{};
    bool repeats;

    Places(const NeighbourSearch& search, const Edges& edges)
        : from_lower(search.position.size()),
          image(search.position.size()),
          known(search.position.size(), false),
          periodic(search.box.periodic),
          repeats(search.box.repeats()) {
        const auto box_lower = components(search.box.lower),
                   box_upper = components(search.box.upper);
        const auto widths = edges.widths();
        const bool tilted = edges.is_tilted();
        std::array<double, 3> lower{}, upper{}, period{};
        bool any = false;
        for (std::size_t i = 0; i < from_lower.size(); ++i) {
            auto p = components(search.position[i]);
            if (tilted) {
                const Vec3 s = edges.fractions(search.position[i] - search.box.lower);
                p = components(search.box.lower +
                               Vec3{s.x * edges.of[0], s.y * edges.of[1], s.z * edges.of[2]});
            }
            from_lower[i] = p;
            if (search.is_absent(i)) continue;
            if (!(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]))) continue;
            for (int a = 0; a < 3; ++a) {
                lower[a] = any ? std::min(lower[a], p[a]) : p[a];
                upper[a] = any ? std::max(upper[a], p[a]) : p[a];
            }
            any = true;
        }
        for (int a = 0; a < 3; ++a) {
            if (periodic[a]) {
                lower[a] = box_lower[a];
                upper[a] = search.edges ? box_lower[a] + edges.of[a] : box_upper[a];
                period[a] = edges.of[a];
                if (tilted) stretch[a] = edges.of[a] / widths[a];
            }
            size[a] = upper[a] - lower[a];
        }
        for (std::size_t i = 0; i < from_lower.size(); ++i)
            known[i] = wrap(from_lower[i], image[i], lower, period) && !search.is_absent(i);
    }

    /// The place in space within one period [m], from an origin that all share.
    Vec3 real(std::size_t i, const Edges& edges) const {
        const auto& [x, y, z] = from_lower[i];
        if (!edges.is_tilted()) return {x, y, z};
        return edges.times({x / edges.of[0], y / edges.of[1], z / edges.of[2]});
    }

  private:
    bool wrap(std::array<double, 3>& place, std::array<std::int32_t, 3>& its_image,
              const std::array<double, 3>& lower, const std::array<double, 3>& period) const {
        for (int a = 0; a < 3; ++a) {
            if (!std::isfinite(place[a]) || std::abs(place[a]) > 1e30) return false;
            place[a] -= lower[a];
            if (!periodic[a]) continue;
            const double periods = std::floor(place[a] / period[a]);
            if (!(std::abs(periods) < 1e9)) return false;
            place[a] -= periods * period[a];
            its_image[a] = static_cast<std::int32_t>(periods);
        }
        return true;
    }
};

}  // namespace beadwave::packing
