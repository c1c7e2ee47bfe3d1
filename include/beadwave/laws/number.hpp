// The functions that a law needs in addition to + - * / and comparison.
//
// A law is a template over its number type T. For T = double these overloads serve; a SIMD vector
// type brings its own, found by argument-dependent lookup, where a comparison yields a lane mask.
#pragma once

#include <cmath>
#include <concepts>
#include <utility>

namespace beadwave::laws {

using std::atan2;
using std::cbrt;
using std::copysign;
using std::cos;
using std::exp;
using std::expm1;
using std::fabs;
using std::log;
using std::pow;
using std::sin;
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

/// The angle of the point (x, y) with y >= 0. Vectors bring a faster one of their own.
template <class T>
T angle_above(const T& y, const T& x) {
    return atan2(y, x);
}

/// a / b for normal b. Vectors bring a faster one of their own, exact to two ulp.
template <class T>
T ratio(T a, T b) {
    return a / b;
}

/// The square root of x >= 0, likewise.
inline double root(double x) {
    return sqrt(x);
}

/// x^(-1/2) for normal x > 0.
inline double inverse_sqrt(double x) {
    return 1.0 / sqrt(x);
}

/// The square root and its inverse for normal x > 0, where an estimate is enough: those of vectors
/// may be wrong by 6e-9 and 7e-5.
template <class T>
T rough_root(const T& x) {
    return sqrt(x);
}
template <class T>
T rough_inverse_root(const T& x) {
    return inverse_sqrt(x);
}

/// x^(3/2), 0 for x <= 0.
inline double power_3_2(double x) {
    const double base = max(x, 0.0);
    return base * sqrt(base);
}

/// x^y for x >= 0, where y is a parameter of a law; vectors take roots for common exponents.
template <class T>
T parameter_power(const T& x, const T& y) {
    return pow(x, y);
}

/// x^a and x^b; vectors take the logarithm once.
template <class T>
std::pair<T, T> parameter_powers(const T& x, const T& a, const T& b) {
    return {pow(x, a), pow(x, b)};
}

/// Powers in two parts, for laws in two parts (response.hpp): vectors start with the logarithm.
/// The second parts have the bits of parameter_power() and parameter_powers().
struct PowersNotStarted {};
template <class T>
PowersNotStarted start_power(const T& /*x*/, const T& /*y*/) {
    return {};
}
template <class T>
T finish_power(PowersNotStarted, const T& x, const T& y) {
    return parameter_power(x, y);
}
template <class T>
PowersNotStarted start_powers(const T& /*x*/, const T& /*a*/, const T& /*b*/) {
    return {};
}
template <class T>
std::pair<T, T> finish_powers(PowersNotStarted, const T& x, const T& a, const T& b) {
    return parameter_powers(x, a, b);
}

/// The result of a function of numbers, in each lane.
template <class Function, std::same_as<double>... Numbers>
double each_lane(Function function, Numbers... x) {
    return function(x...);
}

}  // namespace beadwave::laws
