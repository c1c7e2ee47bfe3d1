// The neighbour list of the engine of ellipsoids: of their bounding spheres.

#include "packing/pair_matching.hpp"
#include "packing/shaped/shaped_packing_engine.hpp"
#include "packing/two_farthest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

void ShapedPackingEngine::rebuild_list() {
    const NeighbourList old = std::move(list_);
    const std::vector<ShapedPair> old_pair = std::move(pair_);
    for (std::size_t i = 0; i < particle_.size(); ++i)
        at_list_[i] = particle_[i].displacement;
    wall_at_list_ = loads_.displacements();
    adopt_list();
    const std::vector<std::uint32_t> number = match_pairs(old, list_, particle_.size());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (number[p] == no_pair) continue;
        const std::uint32_t kind = pair_[p].kind;
        pair_[p] = old_pair[number[p]];
        pair_[p].kind = kind;
    }
    ++list_builds_;
}

void ShapedPackingEngine::adopt_list() {
    const std::size_t n = particle_.size();
    const std::vector<char> held = packing_.held();
    std::vector<Vec3> position(n);
    for (std::size_t i = 0; i < n; ++i)
        position[i] = particle_[i].start + at_list_[i];
    list_ = find_neighbours({.position = position,
                             .radius = packing_.radius,
                             .walls = packing_.walls,
                             .moved = wall_at_list_,
                             .box = packing_.box,
                             .skin = skin_,
                             .fixed = held});
    laws_.forget();
    pair_.assign(list_.pairs(), {});
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairKey key = pair_key(list_, n, p);
        const bool wall = key.wall >= 0;
        pair_[p].balls =
            particle_[key.first].is_ball() && (wall || particle_[key.second].is_ball());
        if (!pair_[p].balls) continue;
        pair_[p].kind = laws_.kind(
            key.first, wall ? static_cast<std::uint32_t>(n) + static_cast<std::uint32_t>(key.wall)
                            : key.second);
    }
}

bool ShapedPackingEngine::moved_too_far() const {
    TwoFarthest farthest;
    for (std::size_t i = 0; i < particle_.size(); ++i)
        farthest.include(particle_[i].displacement - at_list_[i]);
    for (std::size_t w = 0; w < wall_at_list_.size(); ++w)
        farthest.include(loads_.displacement(w) - wall_at_list_[w]);
    return farthest.approach() >= skin_;
}

double ShapedPackingEngine::largest_difference() const {
    const Vec3 start = particle_.front().displacement - at_list_.front();
    Vec3 lowest = start, highest = start;
    const auto include = [&](const Vec3& d) {
        lowest = {std::min(lowest.x, d.x), std::min(lowest.y, d.y), std::min(lowest.z, d.z)};
        highest = {std::max(highest.x, d.x), std::max(highest.y, d.y), std::max(highest.z, d.z)};
    };
    for (std::size_t i = 0; i < particle_.size(); ++i)
        include(particle_[i].displacement - at_list_[i]);
    for (std::size_t w = 0; w < wall_at_list_.size(); ++w)
        include(loads_.displacement(w) - wall_at_list_[w]);
    return std::sqrt(dot(highest - lowest, highest - lowest));
}

}  // namespace beadwave::packing
