#include "packing_gradients/listed_pairs.hpp"

#include "packing/walls/wall_motion.hpp"

#include <cmath>
#include <utility>

namespace beadwave::packing_gradients {

using packing::Ghost;

std::uint32_t PairTable::number(const PairBodies& pair) {
    const auto [at, is_new] = numbers_.try_emplace(std::uint64_t{pair.first} << 32 | pair.second,
                                                   static_cast<std::uint32_t>(pairs_.size()));
    if (is_new) {
        pairs_.push_back(pair);
        laws_.push_back(law_of(varied_, pair));
    }
    return at->second;
}

PairBodies bodies_of(const packing::NeighbourList& list, std::size_t particles, std::size_t pair) {
    const std::uint32_t first = list.first[pair], second = list.second[pair];
    if (second < particles) return {first, second};
    const Ghost& ghost = list.ghosts[second - particles];
    if (ghost.wall < 0) return {first, ghost.of};
    return {first, static_cast<std::uint32_t>(particles) + static_cast<std::uint32_t>(ghost.wall)};
}

ListedPairs list_pairs(const packing::Packing& packing, std::vector<Vec3> reference,
                       const packing::WallLoads& walls, PairTable& table) {
    const std::size_t n = packing.particles();
    ListedPairs listed{.reference = std::move(reference),
                       .wall_at_list = walls.displacements(),
                       .time = walls.time()};
    const std::vector<char> held = packing.held();
    const packing::Edges edges = packing::Edges::of_box(packing.box);
    listed.list = packing::find_neighbours({.position = listed.reference,
                                            .radius = packing.radius.all(),
                                            .walls = packing.walls,
                                            .moved = listed.wall_at_list,
                                            .box = packing.box,
                                            .skin = packing::skin_of(packing),
                                            .fixed = held,
                                            .edges = edges,
                                            .time = listed.time});
    for (std::size_t p = 0; p < listed.list.pairs(); ++p) {
        const PairBodies bodies = bodies_of(listed.list, n, p);
        listed.law.push_back(table.number(bodies));
        const Vec3& a = listed.reference[bodies.first];
        if (bodies.second >= n) {
            const std::size_t w = bodies.second - n;
            listed.gap.push_back(packing::first_wall_gap(
                packing.walls[w], a, listed.wall_at_list[w], packing.radius[bodies.first]));
            continue;
        }
        Vec3 b = listed.reference[bodies.second];
        if (listed.list.second[p] >= n)
            b += edges.shift(listed.list.ghosts[listed.list.second[p] - n].image);
        const Vec3 r = b - a;
        listed.gap.push_back(packing::first_gap(
            std::sqrt(dot(r, r)), packing.radius[bodies.first] + packing.radius[bodies.second]));
    }
    return listed;
}

}  // namespace beadwave::packing_gradients
