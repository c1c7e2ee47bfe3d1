// The numbers of device code: a double with the operations of the vector code on AVX2, so that
// kernels have the bits of the fast engine there. Every operation rounds once, a multiplication and
// an addition only where the vector code fuses them.
//
// On the host, results below the normal numbers are zero (simd/flush_subnormals.hpp). Graphics
// processors do not do that for doubles, and with it after every operation a step took about one
// and a half times as long. So there are two kinds of numbers: Exact<true> flushes, Exact<false>
// does not. Where no number that a pair is computed from is tiny(), no result is below the normal
// numbers: a difference of two such numbers is 0 or above 2^-181, and no product of five of these
// is below 2^-1022. So both kinds give the same there, and a step takes Exact<true> only for
// particles that have, or are next to, tiny numbers: the head of a wave.
//
// Beside + - * / and comparison, device code only uses fused multiplication and addition, the
// square root, and the powers below, which are those of simd/vector_power.inl.hpp.
#pragma once

#include "laws/triple.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace beadwave::packing::on_device {

/// Numbers below the normal ones become zero, with their sign.
inline double flushed(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto high = static_cast<std::uint32_t>(bits >> 32);
    if ((high & 0x7FF00000U) != 0) return x;
    return std::bit_cast<double>(static_cast<std::uint64_t>(high & 0x80000000U) << 32);
}

/// Neither 0 nor as large as 2^-128.
inline bool tiny(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return (static_cast<std::uint32_t>(bits >> 32) & 0x7FFFFFFFU) < 0x37F00000U && x != 0.0;
}

/// A finite number as an integer of the same order.
inline std::int64_t ordered(double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? bits ^ 0x7FFFFFFFFFFFFFFF : bits;
}
inline double from_ordered(std::int64_t x) {
    return std::bit_cast<double>(x < 0 ? x ^ 0x7FFFFFFFFFFFFFFF : x);
}

template <bool flushes>
struct Exact {
    double value = 0.0;

    Exact() = default;
    Exact(double x) : value(x) {}  // NOLINT: laws mix numbers

    static Exact result(double x) {
        if constexpr (flushes) return flushed(x);
        return x;
    }
    static Exact of_bits(std::uint64_t bits) { return std::bit_cast<double>(bits); }
    std::uint64_t bits() const { return std::bit_cast<std::uint64_t>(value); }

    friend Exact operator+(Exact a, Exact b) { return result(a.value + b.value); }
    friend Exact operator-(Exact a, Exact b) { return result(a.value - b.value); }
    friend Exact operator*(Exact a, Exact b) { return result(a.value * b.value); }
    friend Exact operator/(Exact a, Exact b) { return result(a.value / b.value); }
    friend Exact operator-(Exact a) { return -a.value; }
    friend Exact& operator+=(Exact& a, Exact b) { return a = a + b; }
    friend Exact& operator-=(Exact& a, Exact b) { return a = a - b; }
    friend Exact& operator*=(Exact& a, Exact b) { return a = a * b; }

    friend bool operator<(Exact a, Exact b) { return a.value < b.value; }
    friend bool operator>(Exact a, Exact b) { return a.value > b.value; }
    friend bool operator<=(Exact a, Exact b) { return a.value <= b.value; }
    friend bool operator>=(Exact a, Exact b) { return a.value >= b.value; }
    friend bool operator==(Exact a, Exact b) { return a.value == b.value; }
    friend bool operator!=(Exact a, Exact b) { return a.value != b.value; }

    friend Exact select(bool condition, Exact yes, Exact no) { return condition ? yes : no; }
    /// x, but not below `low`. NaN passes through.
    friend Exact max(Exact x, Exact low) { return x < low ? low : x; }
    friend Exact min(Exact x, Exact high) { return x > high ? high : x; }
    friend Exact abs(Exact x) { return of_bits(x.bits() & ~sign_bit); }
    friend Exact fabs(Exact x) { return abs(x); }
    friend Exact copysign(Exact size, Exact sign) {
        return of_bits((size.bits() & ~sign_bit) | (sign.bits() & sign_bit));
    }
    friend Exact sqrt(Exact x) { return __builtin_sqrt(x.value); }
    /// a b + c, rounded once.
    friend Exact multiply_add(Exact a, Exact b, Exact c) {
        return result(__builtin_fma(a.value, b.value, c.value));
    }
    /// a b - c
    friend Exact multiply_subtract(Exact a, Exact b, Exact c) { return multiply_add(a, b, -c); }
    /// To the nearest whole number, to the even one of two.
    friend Exact nearest(Exact x) {
        constexpr double large = 0x1p52;
        const Exact size = abs(x);
        if (!(size < large)) return x;
        return copysign((size.value + large) - large, x);
    }
    friend Exact inverse_sqrt(Exact x) { return Exact(1.0) / sqrt(x); }
    friend Exact ratio(Exact a, Exact b) { return a / b; }
    friend Exact root(Exact x) { return sqrt(x); }
    friend Exact rough_root(Exact x) { return sqrt(x); }
    friend Exact rough_inverse_root(Exact x) { return inverse_sqrt(x); }
    /// x^(3/2), 0 for x <= 0.
    friend Exact power_3_2(Exact x) {
        const Exact base = max(x, 0.0);
        return base * sqrt(base);
    }

  private:
    static constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
};

// Vectors in space: the operations that the vector code fuses (simd/vector_triple.inl.hpp).

template <class Number>
using Triple = laws::Triple<Number>;

template <bool flushes>
Triple<Exact<flushes>> plus(const Triple<Exact<flushes>>& a, const Exact<flushes>& s,
                            const Triple<Exact<flushes>>& b) {
    return {multiply_add(s, b.x, a.x), multiply_add(s, b.y, a.y), multiply_add(s, b.z, a.z)};
}
template <bool flushes>
Triple<Exact<flushes>> cross(const Triple<Exact<flushes>>& a, const Triple<Exact<flushes>>& b) {
    return {multiply_subtract(a.y, b.z, a.z * b.y), multiply_subtract(a.z, b.x, a.x * b.z),
            multiply_subtract(a.x, b.y, a.y * b.x)};
}
template <bool flushes>
Exact<flushes> dot(const Triple<Exact<flushes>>& a, const Triple<Exact<flushes>>& b) {
    return multiply_add(a.z, b.z, multiply_add(a.y, b.y, a.x * b.x));
}

}  // namespace beadwave::packing::on_device
