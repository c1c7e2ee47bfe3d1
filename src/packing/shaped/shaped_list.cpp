// The neighbour list of the engine of ellipsoids and clumps: of the bounding spheres of members.

#include "packing/neighbours/pair_matching.hpp"
#include "packing/shaped/shaped_backend.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

void ShapedBackend::rebuild_list() {
    face_walls();
    watch_old_pairs();
    const NeighbourList old = std::move(list_);
    const std::vector<ShapedPair> old_pair = std::move(pair_);
    for (std::size_t i = 0; i < particle_.size(); ++i)
        at_list_[i] = particle_[i].displacement;
    for (std::size_t m = 0; m < member_.size(); ++m)
        place_at_list_[m] = member_[m].place;
    begin_list();
    adopt_list();
    const std::vector<std::uint32_t> number = match_pairs(old, list_, member_.size());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (number[p] == no_pair) continue;
        const std::uint32_t kind = pair_[p].kind;
        pair_[p] = old_pair[number[p]];
        pair_[p].kind = kind;
        pair_[p].apart_until = 0.0;
    }
    face_walls();
    ++report_.list_builds;
}

void ShapedBackend::adopt_list() {
    const std::size_t n = member_.size();
    std::vector<char> held, absent;
    std::vector<double> radius;
    std::vector<Vec3> position;
    for (std::size_t m = 0; m < n; ++m) {
        const std::uint32_t body = member_[m].body;
        held.push_back(particle_[body].held ? 1 : 0);
        if (around_.population.changes())
            absent.push_back(around_.population.is_absent(body) ? 1 : 0);
        radius.push_back(member_[m].radius);
        position.push_back(particle_[body].start + at_list_[body] + place_at_list_[m]);
    }
    list_ = find_neighbours({.position = position,
                             .radius = radius,
                             .walls = packing_.walls,
                             .moved = walls_.at_list,
                             .box = packing_.box,
                             .skin = skin_,
                             .threads = threads_,
                             .fixed = held,
                             .edges = around_.box.at_list(),
                             .time = walls_.list_time,
                             .absent = absent});
    leave_out_own_pairs(list_, member_);
    laws_.forget();
    way_.clear();
    for (const ShapedParticle& particle : particle_)
        way_.push_back({particle.displacement, particle.orientation});
    pair_.assign(list_.pairs(), {});
    bodies_.resize(pair_.size());
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairKey key = pair_key(list_, n, p);
        const bool wall = key.wall >= 0;
        const ShapedMember &first = member_[key.first],
                           &second = member_[wall ? key.first : key.second];
        bodies_[p] = {.first = first.body,
                      .second = second.body,
                      .member_1 = key.first,
                      .member_2 = wall ? key.first : key.second,
                      .wall = key.wall,
                      .image = key.image,
                      .shift = around_.box.now().shift(key.image)};
        pair_[p].round = first.is_ball() && (wall || second.is_ball());
        pair_[p].balls = pair_[p].round && !first.of_clump && (wall || !second.of_clump);
        if (!pair_[p].balls) continue;
        const auto bodies = static_cast<std::uint32_t>(particle_.size());
        pair_[p].kind = laws_.kind(
            first.body, wall ? bodies + static_cast<std::uint32_t>(key.wall) : second.body);
    }
    adopt_walls();
}

Vec3 ShapedBackend::moved(std::size_t number) const {
    const ShapedMember& member = member_[number];
    Vec3 by = particle_[member.body].displacement - at_list_[member.body];
    if (around_.box.strains() && !particle_[member.body].held) {
        const Vec3 at = particle_[member.body].start + at_list_[member.body];
        by = around_.box.other_displacement(at - packing_.box.lower, by);
    }
    return member.of_clump ? by + (member.place - place_at_list_[number]) : by;
}

}  // namespace beadwave::packing
