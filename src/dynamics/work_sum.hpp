// The work of one force over all steps, without the rounding of a long sum.
#pragma once

#include <array>
#include <cmath>
#include <span>

namespace beadwave::dynamics {

/// Adds to a long sum, and to the part of it that rounding has lost (Neumaier).
inline void add_exactly(double& sum, double& lost, double part) {
    const double next = sum + part;
    lost += std::abs(sum) >= std::abs(part) ? (sum - next) + part : (part - next) + sum;
    sum = next;
}

class WorkSum {
  public:
    /// Adds one step: the mean of the force before and after it [N], times the displacement [m].
    void add(double force_before, double force_after, double moved) {
        add_exactly(numbers_[0], numbers_[1], 0.5 * (force_before + force_after) * moved);
    }

    double value() const { return numbers_[0] + numbers_[1]; }  ///< [J]
    /// The numbers of a checkpoint.
    std::span<double> numbers() { return numbers_; }

  private:
    std::array<double, 2> numbers_{};  // sum, and the part lost to rounding
};

}  // namespace beadwave::dynamics
