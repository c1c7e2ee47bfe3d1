// The wall at an end of the chain: its position and velocity after each step, from its drive, and
// the work that it does on the chain.
#pragma once

#include "beadwave/stepping/drive.hpp"
#include "dynamics/work_sum.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace beadwave::dynamics {

class DrivenWall {
  public:
    /// Without a drive the wall is at rest. time_step [s].
    DrivenWall(std::optional<stepping::Drive> drive, double time_step)
        : drive_(std::move(drive)), time_step_(time_step) {}

    bool moves() const { return drive_.has_value(); }

    // From the step number, not from a sum of times: the grouping of steps does not change a bit.
    double displacement(std::int64_t step) const {
        return drive_ ? drive_->displacement(time(step)) : 0.0;
    }  ///< [m]
    double velocity(std::int64_t step) const {
        return drive_ ? drive_->velocity(time(step)) : 0.0;
    }  ///< [m/s]

    /// Adds the work of one step: the force on the chain before and after it, positive towards
    /// higher bead numbers [N], times the displacement of the wall [m]. With the displacement, not
    /// the velocity, the work of the step is also right where the velocity jumps within it.
    void add_work(double force_before, double force_after, double moved) {
        work_.add(force_before, force_after, moved);
    }

    /// Work on the chain, since the start [J].
    double work() const { return work_.value(); }
    /// The numbers behind work(), for checkpoints.
    std::span<double> work_numbers() { return work_.numbers(); }

  private:
    double time(std::int64_t step) const { return static_cast<double>(step) * time_step_; }

    std::optional<stepping::Drive> drive_;
    double time_step_;
    WorkSum work_;
};

}  // namespace beadwave::dynamics
