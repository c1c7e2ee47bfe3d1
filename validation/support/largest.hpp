// The only maximum over many comparisons in the tests. std::max(worst, NaN) is worst, and a loop
// over nothing leaves zero: both would pass.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace beadwave::validation {

/// The largest of the numbers that are entered. A NaN stays, and the largest of none is NaN, so
/// that every comparison with it fails.
class Largest {
  public:
    template <class... Numbers>
    void enter(double value, Numbers... more) {
        enter_one(value);
        (enter_one(more), ...);
    }
    operator double() const { return value_; }  // NOLINT: it is compared like a number

  private:
    void enter_one(double value) {
        if (none_ || value > value_ || std::isnan(value)) value_ = value;
        none_ = false;
    }

    double value_ = std::numeric_limits<double>::quiet_NaN();
    bool none_ = true;
};

/// The largest size of a number of `values`; NaN if one is NaN or there is none.
inline double largest_size(std::span<const double> values) {
    Largest largest;
    for (const double value : values)
        largest.enter(std::abs(value));
    return largest;
}

/// The largest difference of two lists of numbers; NaN if a number is NaN, the lengths differ, or
/// there is none.
inline double largest_difference(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size()) return std::numeric_limits<double>::quiet_NaN();
    Largest largest;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest.enter(a[i] == b[i] ? 0.0 : std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace beadwave::validation
