// Contacts, their energy and stability limits in the plain engine.

#include "beadwave/laws/slopes.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "plain_backend.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

std::vector<ContactState> PlainBackend::contacts() const {
    std::vector<ContactState> closed;
    for (std::size_t p = 0; p < pair_.size(); ++p) {
        const Pair& pair = pair_[p];
        if (!touches(p)) continue;
        const PairKey key = pair_key(list_, n_, p);
        const double radii = body_[list_.first[p]].radius + body_[list_.second[p]].radius;
        const double length = std::sqrt(dot(pair.branch, pair.branch));
        closed.push_back(
            {.first = key.first,
             .second = key.wall >= 0 ? n_ + static_cast<std::size_t>(key.wall) : key.second,
             .overlap = pair.overlap,
             .point = body_[key.first].radius / radii * pair.branch,
             .branch = pair.branch,
             .normal_force = -pair.normal_force / length * pair.branch,
             .tangential_force = -pair.tangential_force,
             .triangle = keeps_records() ? triangle_of(p) : 0});
    }
    std::ranges::stable_sort(closed, {}, &ContactState::first);
    return closed;
}

std::array<std::size_t, 2> PlainBackend::particles_of(std::size_t p) const {
    const PairKey key = pair_key(list_, n_, p);
    return {key.first, key.wall < 0 ? key.second : key.first};
}

ContactLimits PlainBackend::limits_of(std::size_t p, double speed) const {
    const Pair& pair = pair_[p];
    const PairLaw& law = laws_.law(pair.kind);
    const laws::Slopes<double> slope =
        laws::slopes_of(law.normal, pair.overlap, approach_speed(p), pair.memory, speed, dt_);
    const double size = pair.grip(law_of(pair)).overlap;
    const double tangential = laws::tangential_stiffness(law.slider, size),
                 dashpot = laws::tangential_damping(law.slider, size);
    const auto on = [&](std::size_t i) -> ContactLimits::OnParticle {
        if (packing_.is_held(i)) return {.particle = i};
        const double r = body_[i].radius, m = packing_.mass[i];
        const double arm = 1.0 + m * r * r / packing_.inertia[i];
        return {.particle = i,
                .stiffness = (slope.stiffness + arm * tangential) / m,
                .damping = (slope.damping + arm * dashpot) / m};
    };
    const PairKey key = pair_key(list_, n_, p);
    const auto [first, second] = particles_of(p);
    return {.first = on(first),
            .second = on(second),
            .wall = key.wall,
            .on_box = true,
            .branch = pair.branch,
            .stiffness = slope.stiffness + tangential,
            .damping = slope.damping};
}

double PlainBackend::approach_speed(std::size_t p) const {
    const Vec3 r = pair_[p].branch;
    const auto image_velocity = [&](const Ghost& ghost) {
        const Vec3 v = velocity_[ghost.of];
        return around_.box.strains() ? v + around_.box.rate().shift(ghost.image) : v;
    };
    const auto speed_of = [&](std::uint32_t body) {
        return body < n_                          ? velocity_[body]
               : list_.ghosts[body - n_].wall < 0 ? image_velocity(list_.ghosts[body - n_])
                                                  : body_[body].predicted;
    };
    return -dot(speed_of(list_.second[p]) - speed_of(list_.first[p]), r) / std::sqrt(dot(r, r));
}

}  // namespace beadwave::packing
