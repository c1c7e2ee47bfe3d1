// The largest value of a signal sampled at every step, between samples by a parabola.
#pragma once

#include <cstdint>

namespace beadwave::observers {

class Peak {
   public:
    /// The value at the next step; the first call is step 0.
    void see(double value) {
        if (awaits_next_) {
            after_ = value;
            awaits_next_ = false;
        }
        if (steps_ == 0 || value > largest_) {
            largest_ = value;
            before_ = steps_ == 0 ? value : last_;
            after_ = value;
            step_ = steps_;
            awaits_next_ = true;
        }
        last_ = value;
        ++steps_;
    }

    /// Height of the parabola through the largest sample and its neighbours.
    double value() const { return largest_ - 0.25 * (before_ - after_) * shift(); }
    /// Its place, in steps from the start.
    double step() const { return static_cast<double>(step_) + shift(); }

   private:
    double shift() const {
        const double bend = before_ - 2.0 * largest_ + after_;
        return bend < 0.0 && step_ > 0 && !awaits_next_ ? 0.5 * (before_ - after_) / bend : 0.0;
    }

    std::int64_t steps_ = 0, step_ = 0;
    double last_ = 0.0, before_ = 0.0, largest_ = 0.0, after_ = 0.0;
    bool awaits_next_ = false;
};

}  // namespace beadwave::observers
