// The plain engine's neighbour list, its ghosts and its walls.

#include "packing/neighbours/pair_matching.hpp"
#include "packing/walls/wall_motion.hpp"
#include "plain_backend.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

void PlainBackend::rebuild_list() {
    update_ghosts();
    watch_old_pairs();
    const NeighbourList old = std::move(list_);
    const std::vector<Pair> old_pair = std::move(pair_);
    const std::vector<Body> before = body_;  // with the old ghosts
    for (std::size_t i = 0; i < n_; ++i) {
        Vec3 &r = body_[i].reference, &d = body_[i].displacement;
        recentre(r.x, d.x);
        recentre(r.y, d.y);
        recentre(r.z, d.z);
    }
    body_.resize(n_);
    begin_list();
    adopt_list();
    update_ghosts();
    const std::vector<std::uint32_t> number = match_pairs(old, list_, n_);
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (number[p] == no_pair) continue;
        const Pair fresh = pair_[p];
        pair_[p] = old_pair[number[p]];
        pair_[p].kind = fresh.kind;
        if (has_fixed_gap(packing_.walls, pair_key(list_, n_, p).wall)) {
            pair_[p].gap = fresh.gap;
            continue;
        }
        pair_[p].gap =
            -overlap_between(before, old, old_pair, number[p]) - lengthening_of(p, fresh.gap);
    }
    ++report_.list_builds;
}

void PlainBackend::adopt_list() {
    const std::vector<char> held = packing_.held(), absent = around_.population.absent();
    std::vector<Vec3> position(n_);
    for (std::size_t i = 0; i < n_; ++i)
        position[i] = body_[i].reference;
    list_ = find_neighbours({.position = position,
                             .radius = packing_.radius.all(),
                             .walls = packing_.walls,
                             .moved = walls_.at_list,
                             .box = packing_.box,
                             .skin = skin_,
                             .fixed = held,
                             .edges = around_.box.at_list(),
                             .time = walls_.list_time,
                             .absent = absent});
    create_ghosts();
    laws_.forget();
    pair_.assign(list_.pairs(), {});
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const std::uint32_t first = list_.first[p];
        const PairKey key = pair_key(list_, n_, p);
        const Vec3 r = body_[list_.second[p]].reference - body_[first].reference;
        pair_[p].kind = laws_.kind(first, key.wall >= 0 ? static_cast<std::uint32_t>(n_) +
                                                              static_cast<std::uint32_t>(key.wall)
                                                        : key.second);
        pair_[p].gap = key.wall >= 0
                           ? first_wall_gap(packing_.walls[static_cast<std::size_t>(key.wall)],
                                            body_[first].reference,
                                            walls_.at_list[static_cast<std::size_t>(key.wall)],
                                            body_[first].radius)
                           : first_gap(std::sqrt(dot(r, r)),
                                       body_[first].radius + body_[list_.second[p]].radius);
    }
}

SurfacePoint PlainBackend::closest(std::uint32_t particle, std::int32_t wall) const {
    const auto w = static_cast<std::size_t>(wall);
    return packing_.walls[w].closest(body_[particle].reference, walls_.at_list[w]);
}

void PlainBackend::create_ghosts() {
    body_.resize(n_ + list_.ghosts.size());
    touched_triangle_.assign(keeps_records() ? list_.ghosts.size() : 0, 0);
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        const Ghost& ghost = list_.ghosts[g];
        Body& body = body_[n_ + g];
        body = {};
        body.reference = body_[ghost.of].reference;
        if (ghost.wall >= 0) {
            body.reference = closest(ghost.of, ghost.wall).point;
        } else {
            body.reference += around_.box.at_list().shift(ghost.image);
            body.radius = body_[ghost.of].radius;
        }
    }
    rim_ghosts_.adopt(list_.ghosts);
    seam_ghosts_.adopt(list_.ghosts, packing_.walls);
}

void PlainBackend::update_ghosts() {
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        const Ghost& ghost = list_.ghosts[g];
        Body& body = body_[n_ + g];
        const Body& particle = body_[ghost.of];
        if (ghost.wall < 0) {
            body.displacement = particle.displacement;
            body.half = particle.half;
            body.predicted = particle.predicted;
            body.half_angular_velocity = particle.half_angular_velocity;
            body.predicted_angular_velocity = particle.predicted_angular_velocity;
            if (around_.box.strains()) {
                body.displacement += around_.box.moved().shift(ghost.image);
                body.half += around_.box.half().shift(ghost.image);
                body.predicted += around_.box.predicted().shift(ghost.image);
            }
            continue;
        }
        const auto w = static_cast<std::size_t>(ghost.wall);
        const Wall& wall = packing_.walls[w];
        WallStep step = around_.loads.step(w, walls_.at_list[w], walls_.list_time);
        if (wall.mesh() != nullptr) step.from += around_.box.at_list().shift(ghost.image);
        MeshContact* contact = seam_ghosts_.contact(g);
        MeshContact own;
        if (contact == nullptr && keeps_records()) contact = &own;
        const WallGhost at = wall_ghost(wall, particle.reference, particle.displacement,
                                        particle.radius, step, patch_of(ghost), contact);
        if (keeps_records()) touched_triangle_[g] = contact->triangle;
        body.reference = at.reference;
        body.displacement = at.displacement;
        body.half = step.at(at.point(), step.half);
        body.predicted = step.at(at.point(), step.predicted);
        body.half_angular_velocity = body.predicted_angular_velocity = step.angular_velocity;
    }
    if (rims_.any() || seam_ghosts_.any()) share_places();
}

void PlainBackend::share_places() {
    const auto place = [&](std::size_t body) {
        return body_[body].reference + body_[body].displacement;
    };
    const auto drop = [&](std::uint32_t ghost) {
        const std::uint32_t particle = list_.ghosts[ghost].of;
        Body& body = body_[n_ + ghost];
        body.displacement +=
            out_of_reach(place(n_ + ghost) - place(particle), body_[particle].radius);
    };
    const auto pass = [&](std::uint32_t from, std::uint32_t to) {
        // Each wall's ghost has one pair, and these are the last.
        const auto number_of = [&](std::uint32_t ghost) {
            return pair_.size() - (list_.ghosts.size() - ghost);
        };
        const auto pair_of = [&](std::uint32_t ghost) -> Pair& { return pair_[number_of(ghost)]; };
        if (keeps_records()) exchange_energies(number_of(from), number_of(to));
        std::swap(pair_of(from).memory, pair_of(to).memory);
        std::swap(pair_of(from).sliding, pair_of(to).sliding);
        std::swap(pair_of(from).rolling, pair_of(to).rolling);
    };
    rim_ghosts_.update(
        place, [&](std::size_t wall) { return around_.loads.displacement(wall); }, drop, pass);
    seam_ghosts_.update(
        [&](std::size_t particle) { return body_[particle].radius; },
        [&](std::size_t one, std::size_t two) { return rims_.keeps_memory(one, two); }, drop, pass);
}

void PlainBackend::watch_old_pairs() {
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairKey key = pair_key(list_, n_, p);
        if (key.wall < 0) continue;
        const double overlap = overlap_between(body_, list_, pair_, p);
        const double depth = depth_of(overlap, body_[key.first].radius, 0.0);
        if (depth < lost_depth) continue;
        note_depth(
            {depth, overlap, key.first, n_ + static_cast<std::size_t>(key.wall), around_.step});
    }
}

Vec3 PlainBackend::moved(std::size_t i) const {
    if (!around_.box.strains() || packing_.is_fixed(i)) return body_[i].displacement;
    return around_.box.other_displacement(body_[i].reference - packing_.box.lower,
                                          body_[i].displacement);
}

double PlainBackend::overlap_between(const std::vector<Body>& body, const NeighbourList& list,
                                     const std::vector<Pair>& pairs, std::size_t p) {
    const Body &a = body[list.first[p]], &b = body[list.second[p]];
    return pair_geometry<double>({.reference = b.reference - a.reference,
                                  .displacement = b.displacement - a.displacement,
                                  .radii = a.radius + b.radius,
                                  .gap = pairs[p].gap})
        .overlap;
}

double PlainBackend::lengthening_of(std::size_t p, double gap) const {
    const Body &a = body_[list_.first[p]], &b = body_[list_.second[p]];
    const Vec3 r = b.reference - a.reference, d = b.displacement - a.displacement;
    return lengthening(r, d, std::sqrt(dot(r + d, r + d)), a.radius + b.radius + gap);
}

}  // namespace beadwave::packing
