// The functions that a law needs in addition to + - * / and comparison.
//
// A law is a template over its number type T. For T = double these overloads serve; a SIMD vector
// type brings its own, found by argument-dependent lookup, where a comparison yields a lane mask.
#pragma once

#include <cmath>
#include <concepts>

namespace beadwave::laws {

using std::cbrt;
using std::cos;
using std::exp;
using std::fabs;
using std::log;
using std::pow;
using std::sqrt;

/// `yes` where the condition holds, otherwise `no`. Both are evaluated.
inline double select(bool condition, double yes, double no) {
    return condition ? yes : no;
}

/// x, but not below `low`. NaN passes through.
inline double max(double x, double low) {
    return x < low ? low : x;
}

/// x, but not above `high`. NaN passes through.
inline double min(double x, double high) {
    return x > high ? high : x;
}

/// Whether the condition holds in any lane.
inline bool any(bool condition) {
    return condition;
}

/// a b + c; vectors round once where they can.
inline double multiply_add(double a, double b, double c) {
    return a * b + c;
}

/// x^(-1/2) for normal x > 0.
inline double inverse_sqrt(double x) {
    return 1.0 / sqrt(x);
}

/// x^(3/2), 0 for x <= 0.
inline double power_3_2(double x) {
    const double base = max(x, 0.0);
    return base * sqrt(base);
}

/// The result of a function of numbers, in each lane.
template <class Function, std::same_as<double>... Numbers>
double each_lane(Function function, Numbers... x) {
    return function(x...);
}

}  // namespace beadwave::laws
