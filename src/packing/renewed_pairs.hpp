// Which pair of an old list is which of a new one, by who the two bodies are.
#pragma once

#include "packing/neighbour_list.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace beadwave::packing {

inline constexpr std::uint32_t no_pair = std::numeric_limits<std::uint32_t>::max();

/// Who a pair is: two particles and the image of the second, or a particle and a wall.
struct PairName {
    std::uint32_t first = 0, second = 0;
    std::int32_t wall = -1;
    std::array<std::int32_t, 3> image{};
    bool operator==(const PairName&) const = default;
};

inline PairName name_of(std::uint32_t first, std::uint32_t second, const std::vector<Ghost>& ghosts,
                        std::size_t particles) {
    if (second < particles) return {.first = first, .second = second};
    const Ghost& ghost = ghosts[second - particles];
    return {.first = first, .second = ghost.of, .wall = ghost.wall, .image = ghost.image};
}

inline PairName name_of(const NeighbourList& list, std::size_t particles, std::size_t pair) {
    return name_of(list.first[pair], list.second[pair], list.ghosts, particles);
}

/// Gap of touching bodies that rounding has opened or closed is none: below this part of R_1 + R_2.
inline constexpr double touching = 1e-12;

/// Of two bodies that meet for the first time [m].
inline double first_gap(double distance, double radii) {
    const double gap = distance - radii;
    return gap < touching * radii && gap > -touching * radii ? 0.0 : gap;
}

/// For each pair of the new list its number in the old one, or no_pair.
inline std::vector<std::uint32_t> old_numbers(const NeighbourList& old, const NeighbourList& list,
                                              std::size_t particles) {
    // Both lists go by first particle, but for walls: a row of the old one is short.
    std::vector<std::uint32_t> row(particles + 1, 0);
    std::size_t plain = 0;
    const auto is_wall = [&](const NeighbourList& l, std::size_t p) {
        return l.second[p] >= particles && l.ghosts[l.second[p] - particles].wall >= 0;
    };
    while (plain < old.pairs() && !is_wall(old, plain))
        ++row[old.first[plain++] + 1];
    for (std::size_t i = 0; i < particles; ++i)
        row[i + 1] += row[i];
    std::unordered_map<std::uint64_t, std::uint32_t> walls;
    const auto wall_key = [](const PairName& name) {
        return static_cast<std::uint64_t>(name.wall) << 32 | name.first;
    };
    for (std::size_t p = plain; p < old.pairs(); ++p)
        walls.emplace(wall_key(name_of(old, particles, p)), static_cast<std::uint32_t>(p));
    std::vector<std::uint32_t> number(list.pairs(), no_pair);
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const PairName name = name_of(list, particles, p);
        if (name.wall >= 0) {
            if (const auto at = walls.find(wall_key(name)); at != walls.end())
                number[p] = at->second;
            continue;
        }
        for (std::uint32_t k = row[name.first]; k < row[name.first + 1]; ++k) {
            if (name_of(old, particles, k) == name) number[p] = k;
        }
    }
    return number;
}

}  // namespace beadwave::packing
