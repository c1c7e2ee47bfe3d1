// Powers of a register. Included by begin_vector_code.hpp.
//
// With x = 2^e m, m around 1, and y log2(x) = k + f, x^y = 2^k 2^f. Both polynomials are Chebyshev
// interpolations, computed with fifty digits.

namespace beadwave::simd::BEADWAVE_TARGET {

/// log2(x) = whole + fraction, |fraction| <= 1/2 and wrong by less than 2e-16.
struct BinaryLogarithm {
    Register whole, fraction;
};

/// For normal x > 0.
HWY_INLINE BinaryLogarithm binary_logarithm(Register x) {
    const Lanes lanes;
    const hn::RebindToSigned<Lanes> integers;
    const auto root_half = hn::Set(integers, 0x3FE6A09E667F3BCDLL);  // sqrt(1/2): m is around 1
    const auto bits = hn::BitCast(integers, x.raw);
    const auto exponent = hn::ShiftRight<52>(hn::Sub(bits, root_half));
    const Register m(hn::BitCast(lanes, hn::Sub(bits, hn::ShiftLeft<52>(exponent))));
    // With s = (m - 1) / (m + 1), log2(m) = 2 artanh(s) / ln 2 = s (2 / ln 2 + s^2 rest(s^2)). The
    // rest is wrong by 5e-16, which s^3 makes 3e-18.
    const Register s = ratio(m - 1.0, m + 1.0);
    const Register z = s * s;
    const Register z2 = z * z;
    const Register low = multiply_add(z, 0.5770780163541355, 0.961796693925976);
    const Register middle = multiply_add(z, 0.3205987380174982, 0.4121985838980784);
    const Register high = multiply_add(z2, 0.21087079671845255,
                                       multiply_add(z, 0.22118998705569107, 0.26232363970525585));
    const Register rest = multiply_add(z2, multiply_add(z2, high, middle), low);
    return {Register(hn::ConvertTo(lanes, exponent)),
            multiply_add(s * z, rest, s * 2.885390081777927)};
}

/// 2^f for |f| <= 1/2, wrong by less than an ulp.
HWY_INLINE Register binary_power(Register f) {
    const Register f2 = f * f;
    const Register f4 = f2 * f2;
    const Register a = multiply_add(f, 0.24022650695910097, 0.6931471805599453);
    const Register b = multiply_add(f, 0.009618129107606854, 0.0555041086648216);
    const Register c = multiply_add(f, 0.00015403530441794136, 0.0013333558146416916);
    const Register d = multiply_add(f, 1.3215442552522291e-6, 1.525273382986708e-5);
    const Register e = multiply_add(f2, 4.4549643712692967e-10,
                                    multiply_add(f, 7.072593027878997e-9, 1.0178062426976924e-7));
    const Register rest =
        multiply_add(f4, multiply_add(f4, e, multiply_add(f2, d, c)), multiply_add(f2, b, a));
    return multiply_add(f, rest, 1.0);
}

/// x^y for the logarithm of x. Results below the normal numbers are zero.
HWY_INLINE Register raised(const BinaryLogarithm& x, Register y) {
    const Lanes lanes;
    const hn::RebindToSigned<Lanes> integers;
    // y times the whole number is kept with twice the digits: it may be large, and its fraction
    // counts. The leading digits of y, times a number of eleven bits, are exact.
    const auto leading = hn::Set(integers, static_cast<std::int64_t>(~std::uint64_t{0xFFF}));
    const Register y_leading(hn::BitCast(lanes, hn::And(hn::BitCast(integers, y.raw), leading)));
    const Register product = y_leading * x.whole;
    const Register fine = multiply_add(y, x.fraction, (y - y_leading) * x.whole);
    const Register k(hn::Round((product + fine).raw));
    const Register power = binary_power((product - k) + fine);
#if HWY_TARGET == HWY_AVX3
    const Register scaled(Register::Raw{_mm512_scalef_pd(power.raw.raw, k.raw.raw)});
    return select(k < Register(-1022.0), Register(0.0), scaled);
#else
    const Register in_range = max(min(k, Register(1023.0)), Register(-1022.0));
    const auto scale =
        hn::ShiftLeft<52>(hn::Add(hn::ConvertTo(integers, in_range.raw), hn::Set(integers, 1023)));
    const Register scaled = power * Register(hn::BitCast(lanes, scale));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return select(k < Register(-1022.0), Register(0.0),
                  select(k > Register(1023.0), Register(infinity), scaled));
#endif
}

/// `power` for x > 0; what else is right for zero, negative and infinite x, and NaN.
HWY_INLINE Register at_limits(Register x, Register y, Register power) {
    const auto by_sign = [&](double positive, double negative) HWY_ATTR {
        return select(y > Register(0.0), Register(positive),
                      select(y < Register(0.0), Register(negative), Register(1.0)));
    };
    Register result =
        select(x > Register(0.0), power, select(y > Register(0.0), Register(0.0), Register(1.0)));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (any(!(x < Register(infinity)))) {
        result = select(x == Register(infinity), by_sign(infinity, 0.0), result);
        result = select(x == x, result, x);
    }
    return result;
}

/// x^y for x >= 0 and results in the range of normal numbers; smaller ones are zero. Not inlined,
/// because laws call it often; static, so that they keep registers across the call.
static inline HWY_NOINLINE Register pow(Register x, Register y) {
    return at_limits(x, y, raised(binary_logarithm(x), y));
}

/// The lanes whose y is a multiple of 1/4 that quarter_power knows.
HWY_INLINE RegisterMask in_quarters(Register y) {
    const Register quarters = y * 4.0;
    return quarters == Register(hn::Round(quarters.raw)) && quarters >= Register(0.0) &&
           quarters <= Register(8.0);
}

/// x^(quarters/4), 0 for x <= 0, but 1 where quarters is 0; 0 <= quarters <= 8. NaN stays.
HWY_INLINE Register quarter_power(Register x, int quarters) {
    const Register base = max(x, Register(0.0));
    switch (quarters) {
        case 0:
            return select(x == x, Register(1.0), x);
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
            return power_3_2(base);
        case 7:
            return base * (root(base) * root(root(base)));
        default:
            return base * base;
    }
}

static inline HWY_NOINLINE Register power_with_quarters(Register x, Register y) {
    const RegisterMask known = in_quarters(y);
    Register result = any(!known) ? pow(x, y) : Register(0.0);
    for (int quarters = 0; quarters <= 8; ++quarters)
        if (const RegisterMask these = y == Register(0.25 * quarters); any(these))
            result = select(these, quarter_power(x, quarters), result);
    return result;
}

static inline HWY_NOINLINE Register power_by_exponent(Register x, Register y) {
    const double first = hn::GetLane(y.raw);
    const int quarters = first >= 0.0 && first <= 2.0 ? static_cast<int>(4.0 * first) : -1;
    if (quarters >= 0 && !any(y != Register(0.25 * quarters))) return quarter_power(x, quarters);
    return any(in_quarters(y)) ? power_with_quarters(x, y) : pow(x, y);
}

/// x^y for x >= 0 where y is a parameter of a law. Multiples of 1/4 up to 2 are products of roots,
/// so they cost less. Each lane depends on its own numbers alone.
HWY_INLINE Register parameter_power(Register x, Register y) {
    return any(y != Register(1.5)) ? power_by_exponent(x, y) : quarter_power(x, 6);
}

/// x^a and x^b, where a and b are parameters of a law, from one logarithm.
HWY_INLINE std::pair<Register, Register> parameter_powers(Register x, Register a, Register b) {
    if (!any(a != Register(1.5)) || any(in_quarters(a) || in_quarters(b)))
        return {parameter_power(x, a), parameter_power(x, b)};
    const BinaryLogarithm logarithm = binary_logarithm(x);
    return {at_limits(x, a, raised(logarithm, a)), at_limits(x, b, raised(logarithm, b))};
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
