// The arrival time of a wave, from the force at every step. It is well defined even if the force
// has two equal humps. It is NaN where no wave arrived.
//
// The force of a sensor is the mean of the two contact forces of a bead. From an exponent of about
// 1.75 on, the wave is so short that the two peaks no longer merge: one steady wave has two equal
// humps, and rounding decides which is larger. The arrival is the peak of the first hump that no
// later one clearly exceeds. A hump is complete when the force falls again: a force that only
// rises, or only falls, has none. If lower humps came before it, the first of these is known, too.
//
// With a threshold the arrival is the time at which the force first exceeds that of the start by
// the threshold.
#pragma once

#include "recording/archive.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace beadwave::observers {

/// A later hump becomes the arrival only if its height above the first value is larger by more than
/// this fraction. It is far above rounding and the error of a step, and far below what a wave loses
/// to the next bead.
inline constexpr double clearly_higher = 1e-3;

/// Rounding changes a static force by less than this part of the force at the start.
inline constexpr double static_rounding = 1e-9;

/// An earlier hump that rises by less than this part of the arrival's hump is not worth a mark.
inline constexpr double worth_a_mark = 0.01;

class Arrival {
  public:
    /// `threshold`: of the force above that at the start [N]; 0: humps count.
    explicit Arrival(double threshold = 0.0) : threshold_(threshold) {}

    /// Adds the value at the next step; the first call is step 0.
    void add(double value) { add(&value, 1, 1, value); }

    /// Adds the values at the next `steps` steps, values[0], values[stride], ...; `largest` is the
    /// largest of these. The result is the same as if they were added one by one.
    void add(const double* values, std::size_t steps, std::size_t stride, double largest) {
        if (steps == 0) return;
        if (steps_ == 0) start(values[0]);
        if (climbs_ || largest > limit_) {
            Arrival climber = *this;  // in registers: each step depends on the one before
            const auto value = [&](std::size_t i) { return values[i * stride]; };
            for (std::size_t i = 0; i < steps; ++i) {
                // Only the last two of the values up to the limit matter, and of those of a rise.
                const std::size_t begin = i;
                if (!climber.climbs_) {
                    while (i + 1 < steps && !(value(i) > climber.limit_))
                        ++i;
                } else if (value(i) > climber.rise_.peak) {
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

    /// The arrival in steps from the start; between steps by a parabola. NaN: none.
    double step() const {
        if (!(threshold_ > 0.0)) return hump_.place();
        return crossing_ >= 0.0 ? crossing_ : std::numeric_limits<double>::quiet_NaN();
    }

    /// The first hump before the arrival's, which is higher, in steps from the start. NaN: there is
    /// none worth a mark.
    double earlier_step() const {
        const bool marked = earlier_.exists() && hump_.exists() &&
                            earlier_.peak - start_ >= worth_a_mark * (hump_.peak - start_);
        return marked ? earlier_.place() : std::numeric_limits<double>::quiet_NaN();
    }

    void serialize(Archive& archive) {
        archive(steps_), archive(start_), archive(limit_), archive(last_), archive(climbs_);
        archive(crossing_);
        for (Hump* hump : {&rise_, &hump_, &earlier_})
            archive(hump->step), archive(hump->before), archive(hump->peak), archive(hump->after);
    }

  private:
    /// The largest value of a rise, and the values before and after it.
    struct Hump {
        std::int64_t step = 0;  ///< 0: there is none, for a rise begins after the start
        double before = 0.0, peak = 0.0, after = 0.0;

        bool exists() const { return step > 0; }
        double place() const {
            if (!exists()) return std::numeric_limits<double>::quiet_NaN();
            const double bend = before - 2.0 * peak + after;
            return static_cast<double>(step) + (bend < 0.0 ? 0.5 * (before - after) / bend : 0.0);
        }
    };

    void start(double value) {
        start_ = last_ = value;
        limit_ = value + (threshold_ > 0.0 ? threshold_ : static_rounding * std::abs(value));
    }

    void climb(double now, std::int64_t step) {
        if (threshold_ > 0.0) {
            cross(now, step);
        } else if (now > (climbs_ ? rise_.peak : limit_)) {
            climbs_ = true;
            rise_ = {step, last_, now, now};
        } else if (climbs_) {
            if (step == rise_.step + 1) rise_.after = now;
            climbs_ = now == rise_.peak;
            if (!climbs_) take_rise();
        }
        last_ = now;
    }

    /// The rise has ended: it is the arrival's hump, and the one before it an earlier one.
    void take_rise() {
        const double least = worth_a_mark * (hump_.peak - start_);
        if (!earlier_.exists() || earlier_.peak - start_ < least) earlier_ = hump_;
        hump_ = rise_;
        limit_ = hump_.peak + clearly_higher * (hump_.peak - start_);
    }

    void cross(double now, std::int64_t step) {
        if (!(now > limit_)) return;
        crossing_ = static_cast<double>(step) - (now - limit_) / (now - last_);
        limit_ = std::numeric_limits<double>::infinity();
    }

    double threshold_;
    std::int64_t steps_ = 0;
    double start_ = 0.0, last_ = 0.0;
    double limit_ = 0.0;  ///< the height that a later hump has to exceed
    Hump rise_, hump_, earlier_;
    double crossing_ = -1.0;  ///< of the threshold, in steps; negative: none so far
    bool climbs_ = false;     ///< above the limit and still rising
};

}  // namespace beadwave::observers
