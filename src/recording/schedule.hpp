// The steps that are sampled: those nearest to the multiples of an interval.
#pragma once

#include "recording/archive.hpp"

#include <cstdint>

namespace beadwave::recording {

class Schedule {
  public:
    /// interval and time_step in s; with an interval below one step, every step is sampled.
    Schedule(double interval, double time_step) : steps_per_sample_(interval / time_step) {
        if (steps_per_sample_ < 1.0) steps_per_sample_ = 1.0;
    }

    std::int64_t next() const { return next_; }
    bool due(std::int64_t step) const { return step >= next_; }

    /// Moves on to the first sample after `step`.
    void done(std::int64_t step) {
        while (next_ <= step) {
            const double next = ++sample_ * steps_per_sample_;
            if (next >= never) {
                next_ = static_cast<std::int64_t>(never);
                return;
            }
            // std::llround(next), without a call: the difference is exact.
            next_ = static_cast<std::int64_t>(next);
            if (next - static_cast<double>(next_) >= 0.5) ++next_;
        }
    }

    void serialize(Archive& archive) { archive(sample_), archive(next_); }

  private:
    static constexpr double never = 9007199254740992.0;  ///< 2^53; no run has so many steps

    double steps_per_sample_;
    double sample_ = 0.0;
    std::int64_t next_ = 0;
};

}  // namespace beadwave::recording
