// Quotients and roots where two ulp do: of numbers they are exact to rounding, vectors bring faster
// ones of their own.
#pragma once

#include <cmath>

namespace beadwave::laws {

/// a / b for normal b.
template <class T>
T ratio(T a, T b) {
    return a / b;
}

/// The square root of x >= 0.
inline double root(double x) {
    return std::sqrt(x);
}

}  // namespace beadwave::laws
