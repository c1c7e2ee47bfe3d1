// When a wave arrives, from the force at every step: one number, also where the force has two
// equal humps.
//
// A sensor's force is the mean of a bead's two contact forces. From an exponent of about 1.75 on
// the wave is so short that these two peaks no longer merge: one steady wave shows two equal humps,
// and rounding decides which is larger. The arrival is the top of the first hump that no later one
// clearly exceeds.
#pragma once

#include "state_numbers.hpp"

#include <cstddef>
#include <cstdint>

namespace beadwave::observers {

/// A later hump takes the arrival only if it rises higher above the first value by more than this
/// part. Far above rounding and the error of a step, far below what a wave loses to the next bead.
inline constexpr double clearly_higher = 1e-3;

class Arrival {
  public:
    /// The value at the next step; the first call is step 0.
    void see(double value) { see(&value, 1, 1, value); }

    /// The values at the next `steps` steps, values[0], values[stride], ...; `largest` is the
    /// largest of these. As if each were seen in turn.
    void see(const double* values, std::size_t steps, std::size_t stride, double largest) {
        if (steps == 0) return;
        if (steps_ == 0) start_ = top_ = before_ = after_ = last_ = limit_ = values[0];
        if (climbs_ || largest > limit_) {
            for (std::size_t i = 0; i < steps; ++i)
                climb(values[i * stride], steps_ + static_cast<std::int64_t>(i));
        }
        last_ = values[(steps - 1) * stride];
        steps_ += static_cast<std::int64_t>(steps);
    }

    /// In steps from the start, between steps by a parabola.
    double step() const {
        const double bend = before_ - 2.0 * top_ + after_;
        const bool inside = step_ > 0 && step_ + 1 < steps_ && bend < 0.0;
        return static_cast<double>(step_) + (inside ? 0.5 * (before_ - after_) / bend : 0.0);
    }

    void exchange(StateNumbers& state) {
        state(steps_), state(step_), state(start_), state(limit_), state(climbs_);
        state(before_), state(top_), state(after_), state(last_);
    }

  private:
    void climb(double now, std::int64_t step) {
        if (now > (climbs_ ? top_ : limit_)) {
            climbs_ = true;
            before_ = last_;
            top_ = after_ = now;
            step_ = step;
        } else if (climbs_) {
            if (step == step_ + 1) after_ = now;
            climbs_ = now == top_;
            limit_ = top_ + clearly_higher * (top_ - start_);
        }
        last_ = now;
    }

    std::int64_t steps_ = 0, step_ = 0;
    double start_ = 0.0, limit_ = 0.0;  ///< what a later hump has to exceed
    double before_ = 0.0, top_ = 0.0, after_ = 0.0, last_ = 0.0;
    bool climbs_ = false;  ///< above the limit, and has not fallen since
};

}  // namespace beadwave::observers
