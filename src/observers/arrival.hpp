// The arrival time of a wave, from the force at every step. It is well defined even if the force
// has two equal humps.
//
// The force of a sensor is the mean of the two contact forces of a bead. From an exponent of about
// 1.75 on, the wave is so short that the two peaks no longer merge: one steady wave has two equal
// humps, and rounding decides which is larger. The arrival is the peak of the first hump that no
// later one clearly exceeds.
#pragma once

#include "recording/archive.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace beadwave::observers {

/// A later hump becomes the arrival only if its height above the first value is larger by more than
/// this fraction. It is far above rounding and the error of a step, and far below what a wave loses
/// to the next bead.
inline constexpr double clearly_higher = 1e-3;

class Arrival {
  public:
    /// Adds the value at the next step; the first call is step 0.
    void add(double value) { add(&value, 1, 1, value); }

    /// Adds the values at the next `steps` steps, values[0], values[stride], ...; `largest` is the
    /// largest of these. The result is the same as if they were added one by one.
    void add(const double* values, std::size_t steps, std::size_t stride, double largest) {
        if (steps == 0) return;
        if (steps_ == 0) start_ = peak_ = before_ = after_ = last_ = limit_ = values[0];
        if (climbs_ || largest > limit_) {
            Arrival climber = *this;  // in registers: each step depends on the one before
            const auto value = [&](std::size_t i) { return values[i * stride]; };
            for (std::size_t i = 0; i < steps; ++i) {
                // Of the values up to the limit, and of those of a rise, only the last two matter.
                const std::size_t begin = i;
                if (!climber.climbs_) {
                    while (i + 1 < steps && !(value(i) > climber.limit_))
                        ++i;
                } else if (value(i) > climber.peak_) {
                    while (i + 1 < steps && value(i + 1) > value(i))
                        ++i;
                }
                if (i > begin) climber.last_ = value(i - 1);
                climber.climb(value(i), steps_ + static_cast<std::int64_t>(i));
            }
            *this = climber;
        }
        last_ = values[(steps - 1) * stride];
        steps_ += static_cast<std::int64_t>(steps);
    }

    /// No value up to this one changes the arrival, only the last value.
    double limit() const {
        return steps_ == 0 || climbs_ ? -std::numeric_limits<double>::infinity() : limit_;
    }

    /// The arrival in steps from the start; between steps by a parabola.
    double step() const {
        const double bend = before_ - 2.0 * peak_ + after_;
        const bool inside = step_ > 0 && step_ + 1 < steps_ && bend < 0.0;
        return static_cast<double>(step_) + (inside ? 0.5 * (before_ - after_) / bend : 0.0);
    }

    void serialize(Archive& archive) {
        archive(steps_), archive(step_), archive(start_), archive(limit_), archive(climbs_);
        archive(before_), archive(peak_), archive(after_), archive(last_);
    }

  private:
    void climb(double now, std::int64_t step) {
        if (now > (climbs_ ? peak_ : limit_)) {
            climbs_ = true;
            before_ = last_;
            peak_ = after_ = now;
            step_ = step;
        } else if (climbs_) {
            if (step == step_ + 1) after_ = now;
            climbs_ = now == peak_;
            limit_ = peak_ + clearly_higher * (peak_ - start_);
        }
        last_ = now;
    }

    std::int64_t steps_ = 0, step_ = 0;
    double start_ = 0.0, limit_ = 0.0;  ///< the height that a later hump has to exceed
    double before_ = 0.0, peak_ = 0.0, after_ = 0.0, last_ = 0.0;
    bool climbs_ = false;  ///< above the limit and still rising
};

}  // namespace beadwave::observers
