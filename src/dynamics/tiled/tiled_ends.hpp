// A driven wall for the tiles: its motion in all steps of a time block, and the force of its
// contact in each step.
#pragma once

#include "../driven_wall.hpp"
#include "tiled_kernel.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::dynamics {

class TiledEnd {
  public:
    explicit TiledEnd(DrivenWall& wall) : wall_(wall) {}

    /// Prepares a time block of `steps` steps after `done` steps.
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

    /// The wall before the first step of the time block.
    WallMotion at_start() const {
        if (!wall_.moves()) return {};
        return {
            .displacement = displacement_.data(), .velocity = velocity_.data(), .force = nullptr};
    }

    /// The wall in the steps of the time block; `records_force`: with the forces for add_work().
    WallMotion motion(bool records_force) {
        if (!wall_.moves()) return {};
        return {.displacement = displacement_.data() + 1,
                .velocity = velocity_.data() + 1,
                .force = records_force ? force_.data() : nullptr};
    }

    /// Adds the work in the time block. `sign`: the direction in which the wall pushes the chain;
    /// `force`: of its contact before the time block.
    void add_work(double sign, double force, std::int64_t steps) {
        if (!wall_.moves()) return;
        for (std::size_t k = 0; k < static_cast<std::size_t>(steps); ++k) {
            wall_.add_work(sign * force, sign * force_[k], displacement_[k + 1] - displacement_[k]);
            force = force_[k];
        }
    }

  private:
    DrivenWall& wall_;
    std::vector<double> displacement_, velocity_;  // before the time block and after each step
    std::vector<double> force_;                    // after each step
};

}  // namespace beadwave::dynamics
