// The wall at an end of the chain as engines see it: where its drive puts it after each step, and
// the work that it does on the chain.
#pragma once

#include "beadwave/chain/drive.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace beadwave::dynamics {

class DrivenWall {
  public:
    /// Without a drive the wall rests. time_step [s].
    DrivenWall(std::optional<chain::Drive> drive, double time_step)
        : drive_(std::move(drive)), time_step_(time_step) {}

    bool moves() const { return drive_.has_value(); }

    // By the number of the step, never by adding up times: no grouping of steps changes a bit.
    double displacement(std::int64_t step) const {
        return drive_ ? drive_->displacement(time(step)) : 0.0;
    }  ///< [m]
    double velocity(std::int64_t step) const {
        return drive_ ? drive_->velocity(time(step)) : 0.0;
    }  ///< [m/s]

    /// Books one step: the force on the chain before and after it, positive towards higher bead
    /// numbers [N], and how far the wall went [m]. The displacement, rather than the velocity,
    /// gives the work of the whole step where the velocity jumps within it.
    void book(double force_before, double force_after, double moved) {
        auto& [sum, lost] = work_;
        const double part = 0.5 * (force_before + force_after) * moved;
        const double next = sum + part;
        lost += std::abs(sum) >= std::abs(part) ? (sum - next) + part : (part - next) + sum;
        sum = next;
    }

    /// On the chain, since the start [J].
    double work() const { return work_[0] + work_[1]; }
    /// What work() depends on, for checkpoints.
    std::span<double> work_numbers() { return work_; }

  private:
    double time(std::int64_t step) const { return static_cast<double>(step) * time_step_; }

    std::optional<chain::Drive> drive_;
    double time_step_;
    std::array<double, 2> work_{};  // sum, and what rounding took from it
};

}  // namespace beadwave::dynamics
