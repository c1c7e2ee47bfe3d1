// Logarithm, powers and cube root of the numbers of device code: those of the vector code on AVX2,
// operation by operation (simd/vector_power.inl.hpp explains them; log is Highway's).
#pragma once

#include "exact.hpp"

#include <limits>

namespace beadwave::packing::on_device {

/// For x > 0; infinity and NaN stay.
template <bool flushes>
Exact<flushes> log(Exact<flushes> x) {
    using Number = Exact<flushes>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!(x < infinity)) return x;
    constexpr std::uint64_t magic = 0x3FE6A09E00000000, exponent_mask = 0x3FF0000000000000,
                            mantissa = 0xFFFFF00000000;
    const bool small = x < std::numeric_limits<double>::min();
    if (small) x = x * 1.8014398509481984e+16;
    const std::uint64_t bits = x.bits() + (exponent_mask - magic);
    const Number exponent =
        static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 0x3FF - (small ? 54 : 0));
    const Number y = Number::of_bits((x.bits() & 0xFFFFFFFF) | ((bits & mantissa) + magic));
    const Number less_one = y - 1.0;
    const Number z = less_one / (y + 1.0);
    const Number z2 = z * z;
    const Number z4 = z2 * z2;
    const Number even =
        multiply_add(multiply_add(multiply_add(0.1479819860511658591, z4, 0.1818357216161805012),
                                  z4, 0.2857142874366239149),
                     z4, 0.6666666666666735130);
    const Number odd = multiply_add(multiply_add(0.1531383769920937332, z4, 0.2222219843214978396),
                                    z4, 0.3999999999940941908) *
                       z4;
    const Number polynomial = multiply_add(even, z2, odd);
    const Number low = exponent * 1.90821492927058770002e-10;
    return multiply_subtract(exponent, 0.693147180369123816490,
                             multiply_subtract(z, less_one - polynomial, low) - less_one);
}

template <bool flushes>
Exact<flushes> cbrt(Exact<flushes> x) {
    using Number = Exact<flushes>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Number size = abs(x);
    const Number bits = static_cast<double>(static_cast<std::int64_t>(size.bits()));
    const Number third = Number(6.142607249e18) - bits * (1.0 / 3.0);
    Number r = Number::of_bits(static_cast<std::uint64_t>(static_cast<std::int64_t>(third.value)));
    for (int step = 0; step < 2; ++step) {
        const Number h = 1.0 - size * r * r * r;
        r = r + r * h * (1.0 / 3.0 + h * (2.0 / 9.0));
    }
    const Number root = size * r * r;
    const Number fine = root + (size - root * root * root) * r * r * (1.0 / 3.0);
    return copysign(select(size > 0.0 && size < infinity, fine, size), x);
}

/// log2(x) = whole + fraction.
template <class Number>
struct BinaryLogarithm {
    Number whole, fraction;
};

template <bool flushes>
BinaryLogarithm<Exact<flushes>> binary_logarithm(Exact<flushes> x) {
    using Number = Exact<flushes>;
    constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCD;
    const std::uint64_t bits = x.bits() + (0x3FF0000000000000 - root_half);
    const Number m = Number::of_bits((bits & 0x000FFFFFFFFFFFFF) + root_half);
    const Number whole =
        Number::of_bits((bits >> 52) | std::bit_cast<std::uint64_t>(0x1p52)) - (0x1p52 + 1023.0);
    const Number s = ratio(m - 1.0, m + 1.0);
    const Number z = s * s;
    const Number z2 = z * z;
    const Number low = multiply_add(z, 0.5770780163541355, 0.961796693925976);
    const Number middle = multiply_add(z, 0.3205987380174982, 0.4121985838980784);
    const Number high = multiply_add(z2, 0.21087079671845255,
                                     multiply_add(z, 0.22118998705569107, 0.26232363970525585));
    const Number rest = multiply_add(z2, multiply_add(z2, high, middle), low);
    return {select(x > Number(0.0), whole, Number(-0x1p60)),
            multiply_add(s * z, rest, s * 2.885390081777927)};
}

template <bool flushes>
Exact<flushes> binary_power_rest(Exact<flushes> f) {
    using Number = Exact<flushes>;
    const Number f2 = f * f;
    const Number f4 = f2 * f2;
    const Number a = multiply_add(f, 0.24022650695910097, 0.6931471805599453);
    const Number b = multiply_add(f, 0.009618129107606854, 0.0555041086648216);
    const Number c = multiply_add(f, 0.00015403530441794136, 0.0013333558146416916);
    const Number d = multiply_add(f, 1.3215442552522291e-6, 1.525273382986708e-5);
    const Number e = multiply_add(f2, 4.4549643712692967e-10,
                                  multiply_add(f, 7.072593027878997e-9, 1.0178062426976924e-7));
    return multiply_add(f4, multiply_add(f4, e, multiply_add(f2, d, c)), multiply_add(f2, b, a));
}

/// x^y for x >= 0.
template <bool flushes>
Exact<flushes> pow(Exact<flushes> x, Exact<flushes> y) {
    using Number = Exact<flushes>;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const BinaryLogarithm<Number> logarithm = binary_logarithm(x);
    const Number leading = y * logarithm.whole;
    const Number fine =
        multiply_add(y, logarithm.fraction, multiply_subtract(y, logarithm.whole, leading));
    const Number k = nearest(leading + fine);
    const Number f = (leading - k) + fine;
    const Number power = multiply_add(f, binary_power_rest(f), 1.0);
    const Number exponent = max(min(k, 1024.0), -1023.0);
    const Number scale = Number::of_bits((exponent + (0x1.8p52 + 1023.0)).bits() << 52);
    const Number result = power * scale;
    if (x < infinity) return result;
    if (!(x == x)) return x;
    return y > 0.0 ? infinity : y < 0.0 ? 0.0 : 1.0;
}

/// x^(quarters/4), 0 for x <= 0, but 1 where quarters is 0. NaN stays.
template <bool flushes>
Exact<flushes> quarter_power(Exact<flushes> x, int quarters) {
    using Number = Exact<flushes>;
    const Number base = max(x, 0.0);
    switch (quarters) {
        case 0:
            return select(x == x, Number(1.0), x);
        case 1:
            return root(root(base));
        case 2:
            return root(base);
        case 3:
            return root(base) * root(root(base));
        case 4:
            return base;
        case 5:
            return base * root(root(base));
        case 6:
            return power_3_2(x);
        case 7:
            return base * (root(base) * root(root(base)));
        default:
            return base * base;
    }
}

/// x^y for x >= 0 where y is a parameter of a law: multiples of 1/4 up to 2 are products of roots.
template <bool flushes>
Exact<flushes> parameter_power(Exact<flushes> x, Exact<flushes> y) {
    using Number = Exact<flushes>;
    const Number quarters = y * 4.0;
    const bool whole = quarters == nearest(quarters) && y >= 0.0 && y <= 2.0;
    return whole ? quarter_power(x, static_cast<int>(quarters.value)) : pow(x, y);
}
template <bool flushes>
std::pair<Exact<flushes>, Exact<flushes>> parameter_powers(Exact<flushes> x, Exact<flushes> a,
                                                           Exact<flushes> b) {
    return {parameter_power(x, a), parameter_power(x, b)};
}

}  // namespace beadwave::packing::on_device
