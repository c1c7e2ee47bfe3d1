// Powers of a register. Included by begin_vector_code.hpp.
//
// With x = 2^e m, m around 1, and y log2(x) = k + f, x^y = 2^k 2^f. All polynomials are Chebyshev
// interpolations, computed with fifty digits. AVX-512 looks sixteen points of both functions up in
// registers, and needs polynomials between them only.

namespace beadwave::simd::BEADWAVE_TARGET {

/// log2(x) = whole + fraction, |fraction| <= 1 and wrong by less than 2e-16.
struct BinaryLogarithm {
    Register whole, fraction;
};

/// (2^f - 1) / f for |f| <= 1/2, wrong by less than an ulp.
HWY_INLINE Register binary_power_rest(Register f) {
    const Register f2 = f * f;
    const Register f4 = f2 * f2;
    const Register a = multiply_add(f, 0.24022650695910097, 0.6931471805599453);
    const Register b = multiply_add(f, 0.009618129107606854, 0.0555041086648216);
    const Register c = multiply_add(f, 0.00015403530441794136, 0.0013333558146416916);
    const Register d = multiply_add(f, 1.3215442552522291e-6, 1.525273382986708e-5);
    const Register e = multiply_add(f2, 4.4549643712692967e-10,
                                    multiply_add(f, 7.072593027878997e-9, 1.0178062426976924e-7));
    return multiply_add(f4, multiply_add(f4, e, multiply_add(f2, d, c)), multiply_add(f2, b, a));
}

/// 2^k for whole k from -1022 to 1023; 0 for -1023, infinity for 1024.
HWY_INLINE Register two_to_the(Register k) {
    // In a number this large the last bits are the whole number.
    const auto bits = hn::BitCast(LaneBits(), (k + (0x1.8p52 + 1023.0)).raw);
    return Register(hn::BitCast(Lanes(), hn::ShiftLeft<52>(bits)));
}

#if HWY_TARGET == HWY_AVX3
/// One of sixteen numbers per lane, by the last four bits of `index`.
HWY_INLINE Register look_up(const double (&table)[16], __m512i index) {
    return Register(Register::Raw{
        _mm512_permutex2var_pd(_mm512_load_pd(table), index, _mm512_load_pd(table + 8))});
}

/// log2(x) for normal x > 0; NaN for infinity.
HWY_INLINE BinaryLogarithm binary_logarithm(Register x) {
    // 1/c, of nine bits, for c in the middle of each sixteenth of [1, 2); log2(c).
    alignas(64) static constexpr double inverses[16] = {
        0.96875,     0.9140625,   0.865234375, 0.8203125,   0.78125,     0.744140625,
        0.7109375,   0.681640625, 0.65234375,  0.626953125, 0.603515625, 0.58203125,
        0.560546875, 0.54296875,  0.525390625, 0.5078125};
    alignas(64) static constexpr double logarithms[16] = {
        0.04580368961312479, 0.12963528041659547, 0.20883711144498168, 0.28575448233387735,
        0.3561438102252753,  0.42635281250667795, 0.49220535980130375, 0.5529167737903478,
        0.6162957075259478,  0.6735705128776969,  0.7285369720956254,  0.7808314795378384,
        0.8350930733243122,  0.8810589272764926,  0.9285376374433758,  0.9776321869715455};
    const __m512i sixteenth = _mm512_srli_epi64(_mm512_castpd_si512(x.raw.raw), 48);
    const Register m(
        Register::Raw{_mm512_getmant_pd(x.raw.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src)});
    // log2(1 + r) = r rest(r) for |r| <= 1/32, wrong by 4e-17.
    const Register r(hn::MulSub(m.raw, look_up(inverses, sixteenth).raw, Register(1.0).raw));
    const Register r2 = r * r;
    const Register r4 = r2 * r2;
    const Register a = multiply_add(r, -0.7213475204444807, 1.4426950408889623);
    const Register b = multiply_add(r, -0.3606737602558851, 0.4808983470003692);
    const Register c = multiply_add(r, -0.240449001246639, 0.2885388168108306);
    const Register d = multiply_add(r, -0.18061897210002292, 0.2064127207183868);
    const Register rest = multiply_add(r4, multiply_add(r2, d, c), multiply_add(r2, b, a));
    return {Register(Register::Raw{_mm512_getexp_pd(x.raw.raw)}),
            multiply_add(r, rest, look_up(logarithms, sixteenth))};
}

/// 2^(j/16).
alignas(64) inline constexpr double powers_of_two[16] = {1.0,
                                                         1.0442737824274138,
                                                         1.0905077326652577,
                                                         1.1387886347566916,
                                                         1.189207115002721,
                                                         1.241857812073484,
                                                         1.2968395546510096,
                                                         1.3542555469368927,
                                                         1.4142135623730951,
                                                         1.4768261459394993,
                                                         1.5422108254079407,
                                                         1.6104903319492543,
                                                         1.681792830507429,
                                                         1.7562521603732995,
                                                         1.8340080864093424,
                                                         1.9152065613971474};

/// Adding it rounds to sixteenths, and leaves their number in the last bits.
inline constexpr double to_sixteenths = 0x1.8p48;

/// x^y for the logarithm of x; 0 where !(x > 0) and y is no NaN. Results below the normal numbers
/// are zero.
HWY_INLINE Register raised(const BinaryLogarithm& x, Register y, RegisterMask positive) {
    // y times the whole number may be large, and its fraction counts.
    const Register leading = y * x.whole;
    const Register fine =
        multiply_add(y, x.fraction, Register(hn::MulSub(y.raw, x.whole.raw, leading.raw)));
    const Register rounded = (leading + fine) + to_sixteenths;
    const Register sixteenths = rounded - to_sixteenths;
    const Register f = (leading - sixteenths) + fine;
    // 2^f = 1 + f rest(f), wrong by 2e-17.
    const Register f2 = f * f;
    const Register a = multiply_add(f, 0.24022650695910075, 0.6931471805599457);
    const Register b = multiply_add(f, 0.009618129106919535, 0.05550410865663927);
    const Register c = multiply_add(f, 0.00015403723981136433, 0.0013333781577231133);
    const Register rest = multiply_add(f2, multiply_add(f2, c, b), a);
    const Register point = look_up(powers_of_two, _mm512_castpd_si512(rounded.raw.raw));
    const Register power = multiply_add(point * f, rest, point);
    // Multiplies by 2 to the floor of `sixteenths`; zero where that is below the normal numbers.
    const RegisterMask normal = !(sixteenths < Register(-1022.0));
    return Register(Register::Raw{
        _mm512_maskz_scalef_pd((positive & normal).raw.raw, power.raw.raw, sixteenths.raw.raw)});
}
#else
/// log2(x) for normal x > 0; -2^60, of power 0, for x <= 0. Products with a power of 2 are exact.
HWY_INLINE BinaryLogarithm binary_logarithm(Register x) {
    const Lanes lanes;
    // The bits of x above those of sqrt(1/2), so that m is around 1; the exponent plus 1023.
    const auto bits = hn::Add(hn::BitCast(LaneBits(), x.raw),
                              hn::Set(LaneBits(), 0x3FF0000000000000 - 0x3FE6A09E667F3BCD));
    const auto exponent = hn::ShiftRight<52>(bits);
    const auto fraction = hn::And(bits, hn::Set(LaneBits(), 0x000FFFFFFFFFFFFF));
    const Register m(
        hn::BitCast(lanes, hn::Add(fraction, hn::Set(LaneBits(), 0x3FE6A09E667F3BCD))));
    // As the last bits of a large number the exponent becomes one.
    const Register whole =
        Register(
            hn::BitCast(lanes, hn::Or(exponent, hn::BitCast(LaneBits(), hn::Set(lanes, 0x1p52))))) -
        (0x1p52 + 1023.0);
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
    return {select(x > Register(0.0), whole, Register(-0x1p60)),
            multiply_add(s * z, rest, s * 2.885390081777927)};
}

/// A product as a sum: its leading digits and the rest.
struct Product {
    Register leading, rest;
};

/// y times the whole number of a logarithm: it may be large, and its fraction counts.
HWY_INLINE Product product(Register y, Register whole) {
#if HWY_TARGET == HWY_SSE4
    // The leading digits of y, times a number of eleven bits, are exact.
    const hn::RebindToSigned<Lanes> integers;
    const auto leading = hn::Set(integers, static_cast<std::int64_t>(~std::uint64_t{0xFFF}));
    const Register y_leading(hn::BitCast(Lanes(), hn::And(hn::BitCast(integers, y.raw), leading)));
    return {y_leading * whole, (y - y_leading) * whole};
#else
    const Register leading = y * whole;
    return {leading, Register(hn::MulSub(y.raw, whole.raw, leading.raw))};
#endif
}

/// x^y for the logarithm of x. Results below the normal numbers are zero.
HWY_INLINE Register raised(const BinaryLogarithm& x, Register y) {
    const auto [leading, rest] = product(y, x.whole);
    const Register fine = multiply_add(y, x.fraction, rest);
    const Register k(hn::Round((leading + fine).raw));
    const Register f = (leading - k) + fine;
    const Register power = multiply_add(f, binary_power_rest(f), 1.0);
    return power * two_to_the(max(min(k, Register(1024.0)), Register(-1023.0)));
}
#endif

/// x^y from the logarithm of x, for any x: that of 0 for negative x, NaN for itself.
HWY_INLINE Register power_of(Register x, const BinaryLogarithm& logarithm, Register y) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
#if HWY_TARGET == HWY_AVX3
    Register result = raised(logarithm, y, !(x <= Register(0.0)));
    const bool usual = !any(!(x < Register(infinity)) || !(y > Register(0.0)));
#else
    Register result = raised(logarithm, y);
    const bool usual = all(x < Register(infinity));
#endif
    if (HWY_UNLIKELY(!usual)) {
        const auto by_sign = [&](double positive, double negative) HWY_ATTR {
            return select(y > Register(0.0), Register(positive),
                          select(y < Register(0.0), Register(negative), Register(1.0)));
        };
        result = select(x > Register(0.0), result, by_sign(0.0, infinity));
        result = select(x == Register(infinity), by_sign(infinity, 0.0), result);
        result = select(x == x, result, x);
    }
    return result;
}

/// e^x - 1 for x <= 0, to a few ulp.
HWY_INLINE Register expm1(Register x) {
    const Register t = max(x * 1.4426950408889634, Register(-1000.0));  // NaN stays
#if HWY_TARGET == HWY_AVX3
    // The rounding of powers_of_two, as a part of them: near zero the difference to 1 needs it.
    alignas(64) static constexpr double rests[16] = {0.0,
                                                     8.189317638195514e-17,
                                                     -2.7939114859515733e-17,
                                                     7.826573258636075e-17,
                                                     3.3484623336251524e-17,
                                                     3.7508542013031266e-17,
                                                     1.9572585293112036e-17,
                                                     5.68648095791174e-17,
                                                     -6.835808657661923e-17,
                                                     -2.3591094770850053e-17,
                                                     5.1548301170786783e-17,
                                                     1.5341410053603723e-17,
                                                     4.875160526227061e-17,
                                                     1.685487290628973e-17,
                                                     1.790126907604513e-17,
                                                     -5.5450656186394274e-17};
    const Register rounded = t + to_sixteenths;
    const Register sixteenths = rounded - to_sixteenths;
    const Register f = t - sixteenths;
    const __m512i index = _mm512_castpd_si512(rounded.raw.raw);
    // Multiplies by 2 to the floor of `sixteenths`.
    const Register point(
        Register::Raw{_mm512_scalef_pd(look_up(powers_of_two, index).raw.raw, sixteenths.raw.raw)});
    // 2^f = 1 + f rest(f), wrong by 1e-17 of 2^f - 1.
    const Register f2 = f * f;
    const Register a = multiply_add(f, 0.24022650695910086, 0.6931471805599453);
    const Register b = multiply_add(f, 0.009618129106525682, 0.05550410866482159);
    const Register c = multiply_add(f, 0.0001540375624545771, 0.0013333558145579112);
    const Register d = multiply_add(f2, 1.5252907746886827e-05, c);
    const Register rest = multiply_add(f2, multiply_add(f2, d, b), a);
    return multiply_add(point, multiply_add(f, rest, look_up(rests, index)), point - 1.0);
#else
    const Register k(hn::Round(t.raw));
    const Register f = t - k;
    const Register scale = two_to_the(k);
    return multiply_add(scale * f, binary_power_rest(f), scale - 1.0);
#endif
}

/// x^y for x >= 0 and results in the range of normal numbers; smaller ones are zero. Not inlined,
/// because laws call it often; static, so that they keep registers across the call.
static inline HWY_NOINLINE Register pow(Register x, Register y) {
    return power_of(x, binary_logarithm(x), y);
}

/// pow() in two parts, the first of which is the logarithm.
HWY_INLINE BinaryLogarithm start_pow(Register x) {
    return binary_logarithm(x);
}
HWY_INLINE Register finish_pow(BinaryLogarithm started, Register x, Register y) {
    return power_of(x, started, y);
}

/// The lanes whose y is a multiple of 1/4.
HWY_INLINE RegisterMask in_quarters(Register y) {
#if HWY_TARGET == HWY_AVX3
    constexpr int to_quarters = 2 << 4 | _MM_FROUND_NO_EXC;
    return y == Register(Register::Raw{_mm512_roundscale_pd(y.raw.raw, to_quarters)});
#else
    const Register quarters = y * 4.0;
    return quarters == Register(hn::Round(quarters.raw));
#endif
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
            return power_3_2(x);
        case 7:
            return base * (root(base) * root(root(base)));
        default:
            return base * base;
    }
}

/// The power for exponents some of which are in quarters. Not inlined, because it is long; static,
/// so that callers keep registers across the call.
static inline HWY_NOINLINE Register power_with_quarters(Register x, Register y) {
    const double first = hn::GetLane(y.raw);
    const int quarters = first >= 0.0 && first <= 2.0 ? static_cast<int>(4.0 * first) : -1;
    if (quarters >= 0 && !any(y != Register(0.25 * quarters))) return quarter_power(x, quarters);
    Register result = pow(x, y);
    for (int each = 0; each <= 8; ++each)
        if (const RegisterMask these = y == Register(0.25 * each); any(these))
            result = select(these, quarter_power(x, each), result);
    return result;
}

/// x^y for x >= 0 where y is a parameter of a law. Multiples of 1/4 up to 2 are products of roots,
/// so they cost less. Each lane depends on its own numbers alone.
HWY_INLINE Register parameter_power(Register x, Register y) {
    if (all(y == Register(1.5))) return power_3_2(x);
    if (any(in_quarters(y))) return power_with_quarters(x, y);
    return power_of(x, binary_logarithm(x), y);
}

/// parameter_power() in two parts, the first of which is the logarithm.
HWY_INLINE BinaryLogarithm start_power(Register x, Register y) {
    if (!any(in_quarters(y))) return binary_logarithm(x);
    return {Register(), Register()};
}
HWY_INLINE Register finish_power(BinaryLogarithm started, Register x, Register y) {
    if (!any(in_quarters(y))) return power_of(x, started, y);
    return parameter_power(x, y);
}

struct TwoPowers {
    Register first, second;
};

static inline HWY_NOINLINE TwoPowers powers_by_exponents(Register x, Register a, Register b) {
    if (any(in_quarters(a) || in_quarters(b))) {
        const auto power = [x](Register y) HWY_ATTR {
            return any(in_quarters(y)) ? power_with_quarters(x, y) : pow(x, y);
        };
        return {power(a), power(b)};
    }
    const BinaryLogarithm logarithm = binary_logarithm(x);
    return {power_of(x, logarithm, a), power_of(x, logarithm, b)};
}

/// Whether the powers are x^(3/2) and one that takes the logarithm.
HWY_INLINE bool splits(Register a, Register b) {
    return all(a == Register(1.5)) && !any(in_quarters(b));
}

/// The first part of parameter_powers().
HWY_INLINE BinaryLogarithm start_powers(Register x, Register a, Register b) {
    if (splits(a, b)) return binary_logarithm(x);
    return {Register(), Register()};
}

/// x^a and x^b, where a and b are parameters of a law, from one logarithm.
HWY_INLINE std::pair<Register, Register> parameter_powers(Register x, Register a, Register b) {
    if (all(a == Register(1.5))) return {power_3_2(x), parameter_power(x, b)};
    const TwoPowers powers = powers_by_exponents(x, a, b);
    return {powers.first, powers.second};
}
HWY_INLINE std::pair<Register, Register> finish_powers(BinaryLogarithm started, Register x,
                                                       Register a, Register b) {
    if (splits(a, b)) return {power_3_2(x), power_of(x, started, b)};
    return parameter_powers(x, a, b);
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
