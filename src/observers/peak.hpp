// The largest value of a signal sampled at every step, between samples by a parabola.
#pragma once

#include "recording/archive.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace beadwave::observers {

class Peak {
  public:
    /// Adds the value at the next step; the first call is step 0.
    void add(double value) { add(&value, 1, 1, 1.0, value); }

    /// Adds the values at the next `steps` steps, values[0], values[stride], ..., times `sign`;
    /// `largest` is the largest of these; if it is larger than limit(), none of those before
    /// `begin` is it. The result is the same as if they were added one by one.
    void add(const double* values, std::size_t steps, std::size_t stride, double sign,
             double largest, std::size_t begin = 0) {
        const auto value = [&](std::size_t i) { return sign * values[i * stride]; };
        if (steps == 0) return;
        if (awaits_next_) {
            after_ = value(0);
            awaits_next_ = false;
        }
        if (steps_ == 0 || largest > largest_) {
            std::size_t i = begin;
            while (i + 1 < steps && value(i) != largest)
                ++i;
            largest_ = value(i);
            before_ = i > 0 ? value(i - 1) : steps_ == 0 ? largest_ : last_;
            awaits_next_ = i + 1 == steps;
            after_ = awaits_next_ ? largest_ : value(i + 1);
            step_ = steps_ + static_cast<std::int64_t>(i);
        }
        last_ = value(steps - 1);
        steps_ += static_cast<std::int64_t>(steps);
    }

    /// No value up to this one changes the peak, only the last value.
    double limit() const {
        return steps_ == 0 || awaits_next_ ? -std::numeric_limits<double>::infinity() : largest_;
    }

    /// Height of the parabola through the largest sample and its neighbours.
    double value() const { return largest_ - 0.25 * (before_ - after_) * shift(); }
    /// By how much it may have been higher between the steps: where a signal jumps to its peak or
    /// from it, as a force that begins or ends with the contact, a step is before or after the
    /// jump. What the signal changes by in the step on the other side stands for that. 0 for a
    /// smooth peak.
    double missed() const {
        return jumps() ? std::min(largest_ - before_, largest_ - after_) : 0.0;
    }
    /// By how much the last value is above the one before, if it is the largest so far: the signal
    /// still rises. Otherwise 0.
    double rise_at_end() const { return awaits_next_ ? largest_ - before_ : 0.0; }
    /// The time of the peak, in steps from the start.
    double step() const { return static_cast<double>(step_) + shift(); }

    void serialize(Archive& archive) {
        archive(steps_), archive(step_), archive(last_), archive(before_), archive(largest_),
            archive(after_), archive(awaits_next_);
    }

  private:
    bool inner() const { return step_ > 0 && !awaits_next_; }

    /// A parabola through a jump would be higher than the signal by up to an eighth. Smooth peaks
    /// change by less in a step, or the step is far too long.
    bool jumps() const {
        constexpr double in_a_step = 0.25, one_sided = 4.0;
        const auto [less, more] = std::minmax({largest_ - before_, largest_ - after_});
        return inner() && more > in_a_step * std::abs(largest_) && more > one_sided * less;
    }

    double shift() const {
        const double bend = before_ - 2.0 * largest_ + after_;
        return bend < 0.0 && inner() && !jumps() ? 0.5 * (before_ - after_) / bend : 0.0;
    }

    std::int64_t steps_ = 0, step_ = 0;
    double last_ = 0.0, before_ = 0.0, largest_ = 0.0, after_ = 0.0;
    bool awaits_next_ = false;
};

}  // namespace beadwave::observers
