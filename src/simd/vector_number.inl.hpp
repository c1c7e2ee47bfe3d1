// A vector of doubles as one register of the instruction set BEADWAVE_TARGET. Included by
// begin_vector_code.hpp.

namespace beadwave::simd::BEADWAVE_TARGET {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::ScalableTag<double>;
using LaneBits = hn::RebindToUnsigned<Lanes>;
inline constexpr std::size_t register_lanes = HWY_LANES(double);
static_assert(most_lanes % register_lanes == 0);

/// A condition per lane.
struct RegisterMask {
    hn::Mask<Lanes> raw;

    friend HWY_INLINE RegisterMask operator&(RegisterMask a, RegisterMask b) {
        return {hn::And(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator|(RegisterMask a, RegisterMask b) {
        return {hn::Or(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator&&(RegisterMask a, RegisterMask b) { return a & b; }
    friend HWY_INLINE RegisterMask operator||(RegisterMask a, RegisterMask b) { return a | b; }
    friend HWY_INLINE RegisterMask operator!(RegisterMask a) { return {hn::Not(a.raw)}; }
    friend HWY_INLINE bool any(RegisterMask a) { return !hn::AllFalse(Lanes(), a.raw); }
    friend HWY_INLINE bool all(RegisterMask a) { return hn::AllTrue(Lanes(), a.raw); }
};

struct Register {
    using Raw = hn::Vec<Lanes>;
    Raw raw;

    HWY_INLINE Register() : raw(hn::Zero(Lanes())) {}
    HWY_INLINE Register(double x)
        : raw(hn::Set(Lanes(), x)) {}  // NOLINT: laws mix numbers and lanes
    HWY_INLINE explicit Register(Raw lanes) : raw(lanes) {}

    static HWY_INLINE Register load(const double* p) { return Register(hn::LoadU(Lanes(), p)); }
    HWY_INLINE void store(double* p) const { hn::StoreU(raw, Lanes(), p); }

    friend HWY_INLINE Register operator+(Register a, Register b) {
        return Register(hn::Add(a.raw, b.raw));
    }
    friend HWY_INLINE Register operator-(Register a, Register b) {
        return Register(hn::Sub(a.raw, b.raw));
    }
    friend HWY_INLINE Register operator*(Register a, Register b) {
        return Register(hn::Mul(a.raw, b.raw));
    }
    friend HWY_INLINE Register operator/(Register a, Register b) {
        return Register(hn::Div(a.raw, b.raw));
    }
    friend HWY_INLINE Register operator-(Register a) { return Register(hn::Neg(a.raw)); }
    friend HWY_INLINE Register& operator+=(Register& a, Register b) { return a = a + b; }
    friend HWY_INLINE Register& operator-=(Register& a, Register b) { return a = a - b; }
    friend HWY_INLINE Register& operator*=(Register& a, Register b) { return a = a * b; }

    friend HWY_INLINE RegisterMask operator<(Register a, Register b) {
        return {hn::Lt(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator>(Register a, Register b) {
        return {hn::Gt(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator<=(Register a, Register b) {
        return {hn::Le(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator>=(Register a, Register b) {
        return {hn::Ge(a.raw, b.raw)};
    }
    friend HWY_INLINE RegisterMask operator==(Register a, Register b) {
        return {hn::Eq(a.raw, b.raw)};
    }
    // Not the operator of the library, which is false for NaN on some instruction sets.
    friend HWY_INLINE RegisterMask operator!=(Register a, Register b) { return !(a == b); }
};

HWY_INLINE Register select(RegisterMask condition, Register yes, Register no) {
    return Register(hn::IfThenElse(condition.raw, yes.raw, no.raw));
}

HWY_INLINE Register max(Register x, Register low) {
#if HWY_ARCH_X86
    return Register(hn::Max(low.raw, x.raw));  // x86 returns the second operand where a lane is NaN
#else
    return select(x < low, low, x);
#endif
}

HWY_INLINE Register min(Register x, Register high) {
#if HWY_ARCH_X86
    return Register(hn::Min(high.raw, x.raw));
#else
    return select(x > high, high, x);
#endif
}

HWY_INLINE Register abs(Register x) {
    return Register(hn::Abs(x.raw));
}
HWY_INLINE Register fabs(Register x) {
    return abs(x);
}
HWY_INLINE Register copysign(Register size, Register sign) {
    return Register(hn::CopySign(size.raw, sign.raw));
}
/// ln x for x > 0. The function of the library turns infinity and NaN into finite numbers.
HWY_INLINE Register log(Register x) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return select(x < Register(infinity), Register(hn::Log(Lanes(), x.raw)), x);
}
/// The function of the library turns NaN into 0.
HWY_INLINE Register exp(Register x) {
    return select(x == x, Register(hn::Exp(Lanes(), x.raw)), x);
}

/// Calls a function of numbers lane by lane: exact but slow.
template <class Function, std::same_as<Register>... Registers>
HWY_INLINE Register each_lane(Function function, Registers... x) {
    alignas(64) double lanes[sizeof...(x)][register_lanes];
    std::size_t k = 0;
    (x.store(lanes[k++]), ...);
    for (std::size_t lane = 0; lane < register_lanes; ++lane) {
        k = 0;
        // In braces, because these are evaluated from left to right.
        const std::array<double, sizeof...(x)> of_lane{((void)x, lanes[k++][lane])...};
        lanes[0][lane] = std::apply(function, of_lane);
    }
    return Register::load(lanes[0]);
}

HWY_INLINE Register cos(Register x) {
    return each_lane([](double lane) { return std::cos(lane); }, x);
}
HWY_INLINE Register sin(Register x) {
    return each_lane([](double lane) { return std::sin(lane); }, x);
}

HWY_INLINE double first_lane(Register x) {
    return hn::GetLane(x.raw);
}

/// a b + c in one operation where the instruction set has one.
HWY_INLINE Register multiply_add(Register a, Register b, Register c) {
    return Register(hn::MulAdd(a.raw, b.raw, c.raw));
}

#if HWY_TARGET == HWY_AVX3
/// c - a b.
HWY_INLINE Register multiply_subtract(Register a, Register b, Register c) {
    return Register(hn::NegMulAdd(a.raw, b.raw, c.raw));
}

/// x^(-1/2) to 14 bits, for normal x > 0.
HWY_INLINE Register inverse_root_estimate(Register x) {
    return Register(Register::Raw{_mm512_rsqrt14_pd(x.raw.raw)});
}

/// a (1 - e)^(-1/2) for e below 1e-4: four terms of the series are exact to one ulp.
HWY_INLINE Register improved(Register a, Register e) {
    const Register series =
        multiply_add(e, multiply_add(e, Register(5.0 / 16.0), Register(3.0 / 8.0)), Register(0.5));
    return multiply_add(a * e, series, a);
}
#endif

/// As the hardware rounds it.
HWY_INLINE Register sqrt(Register x) {
#if HWY_TARGET == HWY_AVX3
    // The hardware takes twice as long. With an estimate y of x^(-1/2) to 14 bits, improved() gives
    // g = x y and h = y / 2 to an ulp or so; x - g^2 is exact, and the root is g + h (x - g^2),
    // rounded once [Markstein, IBM Journal of Research and Development 34 (1990) 111].
    const Register least(0x1p-900), most(0x1p900);  // nothing underflows or overflows
    if (all((x >= least && x <= most) || x == Register(0.0))) {
        const Register y = inverse_root_estimate(max(x, least));
        const Register start = x * y, e = multiply_subtract(start, y, Register(1.0));
        const Register g = improved(start, e), h = improved(y * 0.5, e);
        return multiply_add(multiply_subtract(g, g, x), h, g);
    }
#endif
    return Register(hn::Sqrt(x.raw));
}

/// x^(-1/2) for normal x > 0.
HWY_INLINE Register inverse_sqrt(Register x) {
#if HWY_TARGET == HWY_AVX3
    // With an estimate y of 14 bits and e = 1 - x y^2, the result is y (1 - e)^(-1/2).
    const Register y = inverse_root_estimate(x);
    return improved(y, multiply_subtract(x * y, y, Register(1.0)));
#else
    return Register(1.0) / sqrt(x);
#endif
}

/// x^(3/2), 0 for x <= 0.
HWY_INLINE Register power_3_2(Register x) {
#if HWY_TARGET == HWY_AVX3
    // The square root of the hardware takes 16 cycles. With an estimate y of 14 bits, h = x y and
    // e = 1 - h y, sqrt(x) = h (1 - e)^(-1/2). Numbers below 1e-300 are replaced by it: their power
    // is zero.
    const Register base = max(x, Register(1e-300));
    const Register y = inverse_root_estimate(base);
    const Register h = base * y;
    return improved(base * h, multiply_subtract(h, y, Register(1.0)));
#else
    const Register base = max(x, Register(0.0));
    return base * sqrt(base);
#endif
}

/// a / b for normal b, to two ulp.
HWY_INLINE Register ratio(Register a, Register b) {
#if HWY_TARGET == HWY_AVX3
    // With an estimate y of 14 bits and e = 1 - b y, a / b = a y (1 + e + e^2 + e^3).
    const Register y(Register::Raw{_mm512_rcp14_pd(b.raw.raw)});
    const Register e = multiply_subtract(b, y, Register(1.0));
    const Register series = multiply_add(e, multiply_add(e, e, e), e);
    const Register estimate = a * y;
    return multiply_add(estimate, series, estimate);
#else
    return a / b;
#endif
}

/// The square root of x >= 0, to two ulp; of subnormal numbers below 1e-153.
HWY_INLINE Register root(Register x) {
#if HWY_TARGET == HWY_AVX3
    constexpr double least_normal = std::numeric_limits<double>::min();
    const Register y = inverse_root_estimate(max(x, Register(least_normal)));
    const Register h = x * y;
    return improved(h, multiply_subtract(h, y, Register(1.0)));
#else
    return sqrt(x);
#endif
}

/// The square root of normal x > 0, to 6e-9.
HWY_INLINE Register rough_root(Register x) {
#if HWY_TARGET == HWY_AVX3
    const Register y = inverse_root_estimate(x);
    const Register h = x * y;
    return multiply_add(h * 0.5, multiply_subtract(h, y, Register(1.0)), h);
#else
    return sqrt(x);
#endif
}

/// x^(-1/2) for normal x > 0, to 7e-5.
HWY_INLINE Register rough_inverse_root(Register x) {
#if HWY_TARGET == HWY_AVX3
    return inverse_root_estimate(x);
#else
    return Register(1.0) / sqrt(x);
#endif
}

/// Cube root. A third of the bits, as a number, gives x^(-1/3) to a few percent; each step triples
/// the number of exact digits.
HWY_INLINE Register cbrt(Register x) {
    const Lanes lanes;
    const hn::RebindToSigned<Lanes> integers;
    const Register size = abs(x);
    const auto bits = hn::ConvertTo(lanes, hn::BitCast(integers, size.raw));
    const auto third =
        hn::Sub(hn::Set(lanes, 6.142607249e18), hn::Mul(bits, hn::Set(lanes, 1.0 / 3.0)));
    Register r(hn::BitCast(lanes, hn::ConvertTo(integers, third)));
    for (int step = 0; step < 2; ++step) {
        const Register h = 1.0 - size * r * r * r;
        r = r + r * h * (1.0 / 3.0 + h * (2.0 / 9.0));
    }
    const Register root = size * r * r;
    const Register fine = root + (size - root * root * root) * r * r * (1.0 / 3.0);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return Register(hn::CopySign(select(size > 0.0 && size < infinity, fine, size).raw, x.raw));
}

/// The lanes of `now` moved up by one; the first is the last of `before`.
HWY_INLINE Register moved_up(Register before, Register now) {
#if HWY_TARGET == HWY_AVX3
    return Register(Register::Raw{_mm512_castsi512_pd(_mm512_alignr_epi64(
        _mm512_castpd_si512(now.raw.raw), _mm512_castpd_si512(before.raw.raw), 7))});
#elif HWY_TARGET == HWY_AVX2
    const auto middle = hn::ConcatLowerUpper(Lanes(), now.raw, before.raw);
    return Register(hn::CombineShiftRightBytes<8>(Lanes(), now.raw, middle));
#else
    static_assert(register_lanes == 2);
    return Register(hn::CombineShiftRightBytes<8>(Lanes(), now.raw, before.raw));
#endif
}

/// The lanes of `now` moved down by one; the last is the first of `after`.
HWY_INLINE Register moved_down(Register now, Register after) {
#if HWY_TARGET == HWY_AVX3
    return Register(Register::Raw{_mm512_castsi512_pd(_mm512_alignr_epi64(
        _mm512_castpd_si512(after.raw.raw), _mm512_castpd_si512(now.raw.raw), 1))});
#elif HWY_TARGET == HWY_AVX2
    const auto middle = hn::ConcatLowerUpper(Lanes(), after.raw, now.raw);
    return Register(hn::CombineShiftRightBytes<8>(Lanes(), middle, now.raw));
#else
    static_assert(register_lanes == 2);
    return Register(hn::CombineShiftRightBytes<8>(Lanes(), after.raw, now.raw));
#endif
}

/// Whether all lanes have the same bits.
HWY_INLINE bool same_bits(Register a, Register b) {
    const LaneBits bits;
    return hn::AllTrue(bits, hn::Eq(hn::BitCast(bits, a.raw), hn::BitCast(bits, b.raw)));
}

/// Whether any lane is minus zero.
HWY_INLINE bool any_minus_zero(Register a) {
    const LaneBits bits;
    const auto minus_zero = hn::BitCast(bits, hn::Set(Lanes(), -0.0));
    return !hn::AllFalse(bits, hn::Eq(hn::BitCast(bits, a.raw), minus_zero));
}

}  // namespace beadwave::simd::BEADWAVE_TARGET
