// How far bodies may have approached each other: as far as the two that moved farthest.
#pragma once

#include "laws/triple.hpp"

#include <cmath>

namespace beadwave::packing {

class TwoFarthest {
  public:
    void include(const laws::Triple<double>& moved) { include_squared(dot(moved, moved)); }
    void include_squared(double squared) {
        if (squared > largest_) {
            second_ = largest_;
            largest_ = squared;
        } else if (squared > second_) {
            second_ = squared;
        }
    }
    /// The sum of the two largest distances, in the unit of what was included.
    double approach() const { return std::sqrt(largest_) + std::sqrt(second_); }

  private:
    double largest_ = 0.0, second_ = 0.0;  // squared
};

}  // namespace beadwave::packing
