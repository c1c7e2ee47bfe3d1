// The neighbour list of the engine of ellipsoids and clumps: of the bounding spheres of members.

#include "packing/neighbours/pair_matching.hpp"
#include "packing/neighbours/two_farthest.hpp"
#include "packing/shaped/shaped_packing_engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

void ShapedPackingEngine::rebuild_list() {
    face_walls();
    watch_old_pairs();
    const NeighbourList old = std::move(list_);
    const std::vector<ShapedPair> old_pair = std::move(pair_);
    for (std::size_t i = 0; i < particle_.size(); ++i)
        at_list_[i] = particle_[i].displacement;
    for (std::size_t m = 0; m < member_.size(); ++m)
        place_at_list_[m] = member_[m].place;
    wall_at_list_ = loads_.displacements();
    list_time_ = loads_.time();
    box_.begin_list();
    adopt_list();
    const std::vector<std::uint32_t> number = match_pairs(old, list_, member_.size());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (number[p] == no_pair) continue;
        const std::uint32_t kind = pair_[p].kind;
        pair_[p] = old_pair[number[p]];
        pair_[p].kind = kind;
    }
    face_walls();
    ++list_builds_;
}

void ShapedPackingEngine::adopt_list() {
    const std::size_t n = member_.size();
    std::vector<char> held, absent;
    std::vector<double> radius;
    std::vector<Vec3> position;
    for (std::size_t m = 0; m < n; ++m) {
        const std::uint32_t body = member_[m].body;
        held.push_back(particle_[body].held ? 1 : 0);
        if (population_.changes()) absent.push_back(population_.is_absent(body) ? 1 : 0);
        radius.push_back(member_[m].radius);
        position.push_back(particle_[body].start + at_list_[body] + place_at_list_[m]);
    }
    list_ = find_neighbours({.position = position,
                             .radius = radius,
                             .walls = packing_.walls,
                             .moved = wall_at_list_,
                             .box = packing_.box,
                             .skin = skin_,
                             .threads = threads_,
                             .fixed = held,
                             .edges = box_.at_list(),
                             .time = list_time_,
                             .absent = absent});
    leave_out_own_pairs(list_, member_);
    laws_.forget();
    pair_.assign(list_.pairs(), {});
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairKey key = pair_key(list_, n, p);
        const bool wall = key.wall >= 0;
        const ShapedMember &first = member_[key.first], &second = member_[key.second];
        pair_[p].round = first.is_ball() && (wall || second.is_ball());
        pair_[p].balls = pair_[p].round && !first.of_clump && (wall || !second.of_clump);
        if (!pair_[p].balls) continue;
        const auto bodies = static_cast<std::uint32_t>(particle_.size());
        pair_[p].kind = laws_.kind(
            first.body, wall ? bodies + static_cast<std::uint32_t>(key.wall) : second.body);
    }
    adopt_walls();
}

Vec3 ShapedPackingEngine::moved(const ShapedMember& member, const Vec3& place_at_list) const {
    Vec3 by = particle_[member.body].displacement - at_list_[member.body];
    if (box_.strains() && !particle_[member.body].held) {
        const Vec3 at = particle_[member.body].start + at_list_[member.body];
        by = box_.other_displacement(at - packing_.box.lower, by);
    }
    return member.of_clump ? by + (member.place - place_at_list) : by;
}

bool ShapedPackingEngine::moved_too_far() const {
    if (box_.strains()) return largest_difference() >= skin_;
    TwoFarthest farthest;
    for (std::size_t m = 0; m < member_.size(); ++m)
        farthest.include(moved(member_[m], place_at_list_[m]));
    for (std::size_t w = 0; w < wall_at_list_.size(); ++w) {
        const Vec3 u = loads_.displacement(w) - wall_at_list_[w];
        const double turned = mesh_turning(packing_.walls[w], list_time_, loads_.time());
        farthest.include_squared(turned > 0.0 ? std::pow(std::sqrt(dot(u, u)) + turned, 2)
                                              : dot(u, u));
    }
    return farthest.approach() >= skin_;
}

double ShapedPackingEngine::largest_difference() const {
    const Vec3 start = moved(member_.front(), place_at_list_.front());
    Vec3 lowest = start, highest = start;
    const auto include = [&](const Vec3& d) {
        lowest = {std::min(lowest.x, d.x), std::min(lowest.y, d.y), std::min(lowest.z, d.z)};
        highest = {std::max(highest.x, d.x), std::max(highest.y, d.y), std::max(highest.z, d.z)};
    };
    for (std::size_t m = 0; m < member_.size(); ++m)
        include(moved(member_[m], place_at_list_[m]));
    for (std::size_t w = 0; w < wall_at_list_.size(); ++w)
        include(loads_.displacement(w) - wall_at_list_[w]);
    double turned = 0.0;
    for (const Wall& wall : packing_.walls)
        turned = std::max(turned, mesh_turning(wall, list_time_, loads_.time()));
    return std::sqrt(dot(highest - lowest, highest - lowest)) + turned + affine_approach();
}

}  // namespace beadwave::packing
