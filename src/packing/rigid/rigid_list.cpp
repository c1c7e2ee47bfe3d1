// The neighbour list of the engine of rigid contacts, and the geometry of its pairs.

#include "packing/neighbours/pair_matching.hpp"
#include "packing/neighbours/two_farthest.hpp"
#include "packing/rigid/rigid_backend.hpp"
#include "packing/vector_length.hpp"
#include "packing/walls/wall_motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::packing {

RigidBackend::Sides RigidBackend::sides_of(std::size_t p) const {
    const PairKey key = pair_key(list_, n_, p);
    const double first = packing_.radius[key.first];
    return {key.first, key.second, key.wall,
            key.wall >= 0 ? first : first + packing_.radius[key.second]};
}

const PairSettings* RigidBackend::settings_of(const Sides& sides) const {
    const std::size_t first = packing_.species[sides.first];
    const std::size_t second = sides.wall >= 0
                                   ? packing_.walls[static_cast<std::size_t>(sides.wall)].species
                                   : packing_.species[sides.second];
    for (const PairSettings& pair : packing_.pairs) {
        if (pair.species == std::array{first, second} || pair.species == std::array{second, first})
            return &pair;
    }
    return nullptr;
}

void RigidBackend::adopt_list() {
    std::vector<Vec3> position(n_);
    for (std::size_t i = 0; i < n_; ++i)
        position[i] = packing_.position[i] + at_list_[i];
    const std::vector<char> held = packing_.held();
    list_ = find_neighbours({.position = position,
                             .radius = packing_.radius.all(),
                             .walls = packing_.walls,
                             .moved = wall_at_list_,
                             .box = packing_.box,
                             .skin = skin_,
                             .fixed = held,
                             .edges = box_.at_list()});
    pair_.assign(list_.pairs(), {});
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const PairSettings* const own = settings_of(sides_of(p));
        const laws::Friction& friction = own != nullptr ? own->friction : packing_.friction;
        pair_[p].restitution = (own != nullptr ? own->law : packing_.law).number("restitution");
        pair_[p].friction =
            packing_.friction.law == laws::FrictionLaw::none ? 0.0 : friction.coefficient;
    }
}

void RigidBackend::rebuild_list() {
    const NeighbourList old = std::move(list_);
    const std::vector<Pair> old_pair = std::move(pair_);
    at_list_ = displacement_;
    wall_at_list_ = loads_.displacements();
    adopt_list();
    const std::vector<std::uint32_t> number = match_pairs(old, list_, n_);
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        if (number[p] != no_pair)
            pair_[p] = old_pair[number[p]];
        else
            measure_pair(p);
    }
    ++report_.list_builds;
}

double RigidBackend::largest_difference() const {
    TwoFarthest farthest;
    for (std::size_t i = 0; i < n_; ++i)
        farthest.include(displacement_[i] - at_list_[i]);
    for (std::size_t w = 0; w < wall_at_list_.size(); ++w)
        farthest.include(loads_.displacement(w) - wall_at_list_[w]);
    return farthest.approach();
}

void RigidBackend::measure_pairs() {
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        measure_pair(p);
        watch_penetration(p);
    }
}

void RigidBackend::measure_pair(std::size_t p) {
    Pair& pair = pair_[p];
    const Sides sides = sides_of(p);
    const Vec3 at = place_of(sides.first);
    if (sides.wall >= 0) {
        const auto w = static_cast<std::size_t>(sides.wall);
        const SurfacePoint surface = packing_.walls[w].closest(at, loads_.displacement(w));
        pair.normal = -surface.normal;
        pair.gap = surface.distance - sides.radii;
        return;
    }
    Vec3 branch = place_of(sides.second) - at;
    if (list_.second[p] >= n_) branch += box_.now().shift(list_.ghosts[list_.second[p] - n_].image);
    const double distance = length_of(branch);
    pair.normal = (1.0 / distance) * branch;
    pair.gap = distance - sides.radii;
}

void RigidBackend::watch_penetration(std::size_t p) {
    const double overlap = -pair_[p].gap;
    if (!(overlap > touching * packing_.radius[list_.first[p]])) return;
    const Sides sides = sides_of(p);
    const double depth = depth_of(overlap, packing_.radius[sides.first],
                                  sides.wall >= 0 ? 0.0 : packing_.radius[sides.second]);
    if (!(depth > sums_.depth)) return;
    sums_.depth = depth;
    sums_.overlap = overlap;
    sums_.first = sides.first;
    sums_.second = sides.wall >= 0 ? static_cast<double>(n_) + sides.wall : sides.second;
    sums_.step = static_cast<double>(step_);
}

}  // namespace beadwave::packing
