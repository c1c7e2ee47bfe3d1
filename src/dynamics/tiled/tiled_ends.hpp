// A driven wall as tiles see it: its motion in all steps of a round, and what its contact bore in
// each.
#pragma once

#include "../driven_wall.hpp"
#include "tiled_kernel.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::dynamics {

class TiledEnd {
  public:
    explicit TiledEnd(DrivenWall& wall) : wall_(wall) {}

    /// For a round of `steps` steps when `done` are done.
    void prepare(std::int64_t done, std::int64_t steps) {
        if (!wall_.moves()) return;
        const auto count = static_cast<std::size_t>(steps);
        displacement_.resize(count + 1);
        velocity_.resize(count + 1);
        force_.resize(count);
        for (std::size_t k = 0; k <= count; ++k) {
            displacement_[k] = wall_.displacement(done + static_cast<std::int64_t>(k));
            velocity_[k] = wall_.velocity(done + static_cast<std::int64_t>(k));
        }
    }

    /// Before the first step of the round.
    WallMotion at_start() const {
        if (!wall_.moves()) return {};
        return {
            .displacement = displacement_.data(), .velocity = velocity_.data(), .force = nullptr};
    }

    /// In the steps of the round; `booked`: with the forces for book().
    WallMotion motion(bool booked) {
        if (!wall_.moves()) return {};
        return {.displacement = displacement_.data() + 1,
                .velocity = velocity_.data() + 1,
                .force = booked ? force_.data() : nullptr};
    }

    /// Books the round; `sign` is the direction in which the wall pushes the chain, `force` its
    /// contact's before.
    void book(double sign, double force, std::int64_t steps) {
        if (!wall_.moves()) return;
        for (std::size_t k = 0; k < static_cast<std::size_t>(steps); ++k) {
            wall_.book(sign * force, sign * force_[k], displacement_[k + 1] - displacement_[k]);
            force = force_[k];
        }
    }

  private:
    DrivenWall& wall_;
    std::vector<double> displacement_, velocity_;  // before the round and after each step
    std::vector<double> force_;                    // after each step
};

}  // namespace beadwave::dynamics
