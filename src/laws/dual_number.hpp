// A number with its derivatives along a few directions, for laws evaluated one contact at a time.
// Derivatives are exact to rounding; conditions use the value only. The tangent engine has the same
// for vectors (tangent/tangent_number.inl.hpp).
#pragma once

#include "beadwave/laws/number.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>

namespace beadwave::laws {

template <std::size_t directions>
struct DualNumber {
    double value = 0.0;
    std::array<double, directions> along{};

    DualNumber() = default;
    DualNumber(double number) : value(number) {}  // NOLINT: laws mix both

    /// value' = slope x'.
    static DualNumber chain(double value, double slope, const DualNumber& x) {
        DualNumber result(value);
        // A zero derivative stays zero where the slope is infinite.
        for (std::size_t k = 0; k < directions; ++k)
            result.along[k] = x.along[k] == 0.0 ? 0.0 : slope * x.along[k];
        return result;
    }

    friend DualNumber operator+(const DualNumber& a, const DualNumber& b) {
        DualNumber sum(a.value + b.value);
        for (std::size_t k = 0; k < directions; ++k)
            sum.along[k] = a.along[k] + b.along[k];
        return sum;
    }
    friend DualNumber operator-(const DualNumber& a, const DualNumber& b) {
        DualNumber difference(a.value - b.value);
        for (std::size_t k = 0; k < directions; ++k)
            difference.along[k] = a.along[k] - b.along[k];
        return difference;
    }
    friend DualNumber operator*(const DualNumber& a, const DualNumber& b) {
        DualNumber product(a.value * b.value);
        for (std::size_t k = 0; k < directions; ++k)
            product.along[k] = a.along[k] * b.value + a.value * b.along[k];
        return product;
    }
    friend DualNumber operator/(const DualNumber& a, const DualNumber& b) {
        DualNumber quotient(a.value / b.value);
        for (std::size_t k = 0; k < directions; ++k)
            quotient.along[k] = (a.along[k] - quotient.value * b.along[k]) / b.value;
        return quotient;
    }
    friend DualNumber operator-(const DualNumber& a) { return chain(-a.value, -1.0, a); }
    friend DualNumber& operator+=(DualNumber& a, const DualNumber& b) { return a = a + b; }
    friend DualNumber& operator-=(DualNumber& a, const DualNumber& b) { return a = a - b; }
    friend DualNumber& operator*=(DualNumber& a, const DualNumber& b) { return a = a * b; }

    friend bool operator<(const DualNumber& a, const DualNumber& b) { return a.value < b.value; }
    friend bool operator>(const DualNumber& a, const DualNumber& b) { return a.value > b.value; }
    friend bool operator<=(const DualNumber& a, const DualNumber& b) { return a.value <= b.value; }
    friend bool operator>=(const DualNumber& a, const DualNumber& b) { return a.value >= b.value; }
    friend bool operator==(const DualNumber& a, const DualNumber& b) { return a.value == b.value; }
    friend bool operator!=(const DualNumber& a, const DualNumber& b) { return a.value != b.value; }

    // Found by argument-dependent lookup, also where one argument is a plain number.

    friend DualNumber select(bool condition, const DualNumber& yes, const DualNumber& no) {
        return condition ? yes : no;
    }
    friend DualNumber max(const DualNumber& x, const DualNumber& low) { return x < low ? low : x; }
    friend DualNumber min(const DualNumber& x, const DualNumber& high) {
        return x > high ? high : x;
    }
    friend DualNumber fabs(const DualNumber& x) { return x.value < 0.0 ? -x : x; }
    friend DualNumber copysign(const DualNumber& size, const DualNumber& sign) {
        return std::signbit(size.value) == std::signbit(sign.value) ? size : -size;
    }
    friend DualNumber sqrt(const DualNumber& x) {
        const double root = std::sqrt(x.value);
        return chain(root, root > 0.0 ? 0.5 / root : 0.0, x);
    }
    friend DualNumber cbrt(const DualNumber& x) {
        const double root = std::cbrt(x.value);
        return chain(root, root != 0.0 ? 1.0 / (3.0 * root * root) : 0.0, x);
    }
    friend DualNumber log(const DualNumber& x) {
        return chain(std::log(x.value), 1.0 / x.value, x);
    }
    friend DualNumber exp(const DualNumber& x) {
        const double power = std::exp(x.value);
        return chain(power, power, x);
    }
    friend DualNumber expm1(const DualNumber& x) {
        return chain(std::expm1(x.value), std::exp(x.value), x);
    }
    friend DualNumber atan2(const DualNumber& y, const DualNumber& x) {
        const double squared = x.value * x.value + y.value * y.value;
        const double inverse = squared >= std::numeric_limits<double>::min() ? 1.0 / squared : 0.0;
        return chain(std::atan2(y.value, x.value), x.value * inverse, y) +
               chain(0.0, -y.value * inverse, x);
    }
    friend DualNumber cos(const DualNumber& x) {
        return chain(std::cos(x.value), -std::sin(x.value), x);
    }
    friend DualNumber sin(const DualNumber& x) {
        return chain(std::sin(x.value), std::cos(x.value), x);
    }
    friend DualNumber pow(const DualNumber& x, const DualNumber& y) {
        const double power = std::pow(x.value, y.value);
        const double slope = y.value == 1.0 ? 1.0 : x.value > 0.0 ? y.value * power / x.value : 0.0;
        DualNumber result = chain(power, slope, x);
        if (x.value > 0.0) result += chain(0.0, power * std::log(x.value), y);
        return result;
    }
    friend DualNumber multiply_add(const DualNumber& a, const DualNumber& b, const DualNumber& c) {
        return a * b + c;
    }
    friend DualNumber inverse_sqrt(const DualNumber& x) {
        const double y = 1.0 / std::sqrt(x.value);
        return chain(y, -0.5 * y * y * y, x);
    }
    friend DualNumber power_3_2(const DualNumber& x) {
        const double root = std::sqrt(laws::max(x.value, 0.0));
        return chain(laws::power_3_2(x.value), 1.5 * root, x);
    }
    friend DualNumber root(const DualNumber& x) { return sqrt(x); }
    friend double first_lane(const DualNumber& x) { return x.value; }
};

/// Differentiates a function of plain numbers by central differences, accurate to ten digits. The
/// function may have a member reach(argument, place), how far differences reach.
template <class Function, std::size_t n, std::same_as<DualNumber<n>>... More>
DualNumber<n> each_lane(Function function, const DualNumber<n>& first, const More&... more) {
    const std::array<DualNumber<n>, 1 + sizeof...(More)> x{first, more...};
    std::array<double, 1 + sizeof...(More)> place{first.value, more.value...};
    DualNumber<n> result(std::apply(function, place));
    for (std::size_t j = 0; j < x.size(); ++j) {
        if (x[j].along == std::array<double, n>{}) continue;
        const double at = place[j], reach = [&] {
            if constexpr (requires { function.reach(j, at); }) return function.reach(j, at);
            return 1e-5 * std::fabs(at) + 1e-30;
        }();
        place[j] = at + reach;
        const double above = std::apply(function, place);
        place[j] = at - reach;
        const double slope = (above - std::apply(function, place)) / (2.0 * reach);
        place[j] = at;
        result += DualNumber<n>::chain(0.0, slope, x[j]);
    }
    return result;
}

}  // namespace beadwave::laws
