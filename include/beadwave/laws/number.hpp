// The few functions a law needs beyond + - * / and comparison.
//
// A law is a template over its number type T. For T = double these overloads serve; a SIMD vector
// type brings its own, found by argument-dependent lookup, where a comparison yields a lane mask.
#pragma once

#include <cmath>

namespace beadwave::laws {

using std::cbrt;
using std::log;
using std::sqrt;

/// `yes` where the condition holds, else `no`. Both are evaluated.
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }

/// x, but not below `low`. NaN passes through.
inline double at_least(double x, double low) { return x < low ? low : x; }

/// Whether the condition holds in any lane.
inline bool any(bool condition) { return condition; }

/// x^(3/2) for x >= 0.
template <class T>
T power_3_2(T x) {
    return x * sqrt(x);
}

}  // namespace beadwave::laws
