// The first half of a step that the one before did not move on to: of an advance's first step, and
// in a box that strains of each step that is alone (steps_alone()).

#include "fast_packing_engine.hpp"

#include <algorithm>

namespace beadwave::packing {
namespace {

/// Adds the change of half a step to the velocities of a line, and takes it on to the predicted
/// ones; null: there are none. The change becomes what the velocities are.
void add_change(double* half, double* change, double* predicted) {
    std::array<double, line> velocity, by;
    std::copy_n(half, line, velocity.begin());
    std::copy_n(change, line, by.begin());
    for (std::size_t k = 0; k < line; ++k)
        velocity[k] += by[k];
    for (std::size_t k = 0; k < line; ++k)
        by[k] += velocity[k];
    std::ranges::copy(velocity, half);
    std::ranges::copy(velocity, change);  // a sleeping block is not written again
    if (predicted != nullptr) std::ranges::copy(by, predicted);
}

}  // namespace

void FastPackingEngine::drift() {
    if (contacts_.mixed) contacts_.mixed->mark_stale();
    double *const half = bodies_.half(0), *const change = bodies_.change(0);
    double *const predicted = bodies_.predicted(0), *const place = bodies_.place(0);
    const bool strains = box_.strains();
    const int threads = strains ? threads_ : 1;  // without strain once per advance
    travel_.begin_step(share_.own_blocks());
    elements_.predict();
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b) {
        Extent moved, velocity;
        for (std::size_t i = share_.block_begin(b); i < share_.block_end(b); ++i) {
            const std::size_t at = line * i;
            add_change(half + at, change + at, predicted != nullptr ? predicted + at : nullptr);
            for (std::size_t k = 0; k < 3; ++k)
                place[at + k] += dt_ * half[at + k];
            Vec3 d = triple(place + at), v = triple(half + at);
            if (strains && !bodies_.is_fixed(i)) {
                const Vec3 from_lower = triple(place + at + 4) - packing_.box.lower;
                d = box_.other_displacement(from_lower, d);
                v = box_.other_velocity(from_lower, v);
            }
            if (travel_.far.is_far(i)) d = v = {};
            if (i == share_.block_begin(b)) {
                moved = {components(d), components(d)};
                velocity = {components(v), components(v)};
            } else {
                moved.include({components(d), components(d)});
                velocity.include({components(v), components(v)});
            }
        }
        travel_.of_block(b - share_.first_block()) = moved;
        near_.move(b, velocity, dt_);
        if (travel_.far.any())
            travel_.farthest_of_block(b - share_.first_block()) = travel_.far.farthest(b, place);
    }
    if (strains) near_.approach_by(box_.approach_in_step(travel_.reach()));
    near_.end_step();
    elements_.place_all([&](std::size_t i) -> Extent& {
        return travel_.of_block(share_.block_of(i) - share_.first_block());
    });
    if (works_) works_->share_bends(bodies_.side());
    travel_.include(share_);
}

}  // namespace beadwave::packing
