// Matches the pairs of a new neighbour list to those of the old one by the identity of their
// bodies.
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/walls/mesh_images.hpp"
#include "packing/walls/wall_motion.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace beadwave::packing {

inline constexpr std::uint32_t no_pair = std::numeric_limits<std::uint32_t>::max();

/// Identity of a pair: two particles and the image of the second, or a particle and a wall, or a
/// patch of a wall's mesh.
struct PairKey {
    std::uint32_t first = 0, second = 0;
    std::int32_t wall = -1;
    std::array<std::int32_t, 3> image{};
    std::uint32_t patch = 0;
    /// In an order in which the first difference comes soon.
    bool operator==(const PairKey& other) const {
        // No comparison of arrays, which would be a call.
        return second == other.second && first == other.first && wall == other.wall &&
               image[0] == other.image[0] && image[1] == other.image[1] &&
               image[2] == other.image[2] && patch == other.patch;
    }
};

inline PairKey pair_key(std::uint32_t first, std::uint32_t second, const std::vector<Ghost>& ghosts,
                        std::size_t particles) {
    if (second < particles) return {.first = first, .second = second};
    const Ghost& ghost = ghosts[second - particles];
    PairKey key{.first = first,
                .second = ghost.of,
                .wall = ghost.wall,
                .image = ghost.image,
                .patch = ghost.patch};
    for (std::size_t a = 0; a < 3; ++a)
        if (winds(ghost.patch, a)) key.image[a] = 0;
    return key;
}

inline PairKey pair_key(const NeighbourList& list, std::size_t particles, std::size_t pair) {
    return pair_key(list.first[pair], list.second[pair], list.ghosts, particles);
}

/// Moves a reference coordinate to the number nearest to the position; the remainder stays in the
/// displacement. Nothing is lost.
inline void recentre(double& reference, double& displacement) {
    const double there = reference + displacement;
    const double back = there - reference;
    displacement = (reference - (there - back)) + (displacement - back);
    reference = there;
}

/// For each pair of the new list: its index in the old list, or no_pair.
inline std::vector<std::uint32_t> match_pairs(const NeighbourList& old, const NeighbourList& list,
                                              std::size_t particles) {
    // Both lists are sorted by first particle, except the walls at the end, so a row of the old
    // list is short.
    std::vector<std::uint32_t> row(particles + 1, 0);
    std::size_t particle_pairs = 0;
    const auto is_wall = [&](const NeighbourList& l, std::size_t p) {
        return l.second[p] >= particles && l.ghosts[l.second[p] - particles].wall >= 0;
    };
    while (particle_pairs < old.pairs() && !is_wall(old, particle_pairs))
        ++row[old.first[particle_pairs++] + 1];
    for (std::size_t i = 0; i < particles; ++i)
        row[i + 1] += row[i];
    struct WallHash {
        std::size_t operator()(const PairKey& key) const {
            const auto wall = static_cast<std::uint64_t>(key.wall) ^ std::uint64_t{key.patch} << 8;
            return static_cast<std::size_t>(wall << 32 ^ wall >> 24 ^ key.first);
        }
    };
    std::unordered_map<PairKey, std::uint32_t, WallHash> walls;
    for (std::size_t p = particle_pairs; p < old.pairs(); ++p)
        walls.emplace(pair_key(old, particles, p), static_cast<std::uint32_t>(p));
    std::vector<std::uint32_t> number(list.pairs(), no_pair);
    for (std::size_t p = 0; p < list.pairs(); ++p) {
        const PairKey key = pair_key(list, particles, p);
        if (key.wall >= 0) {
            if (const auto at = walls.find(key); at != walls.end()) number[p] = at->second;
            continue;
        }
        for (std::uint32_t k = row[key.first]; k < row[key.first + 1]; ++k) {
            if (pair_key(old, particles, k) == key) number[p] = k;
        }
    }
    return number;
}

}  // namespace beadwave::packing
