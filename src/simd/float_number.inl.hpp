// A vector of floats as one register of the instruction set BEADWAVE_TARGET, with the functions
// that tangential laws need. Included after begin_vector_code.hpp by the code that uses it.

namespace beadwave::simd::BEADWAVE_TARGET {

using FloatLanes = hn::ScalableTag<float>;
using HalfFloatLanes = hn::Rebind<float, Lanes>;
inline constexpr std::size_t float_lanes = HWY_LANES(float);
static_assert(float_lanes == lane_count);

/// A condition per lane.
struct FloatMask {
    hn::Mask<FloatLanes> raw;

    friend HWY_INLINE bool any(FloatMask a) { return !hn::AllFalse(FloatLanes(), a.raw); }
};

struct FloatRegister {
    using Raw = hn::Vec<FloatLanes>;
    Raw raw;

    HWY_INLINE FloatRegister() : raw(hn::Zero(FloatLanes())) {}
    HWY_INLINE FloatRegister(double x)
        : raw(hn::Set(FloatLanes(), static_cast<float>(x))) {}  // NOLINT: laws mix numbers, lanes
    HWY_INLINE explicit FloatRegister(Raw lanes) : raw(lanes) {}

    static HWY_INLINE FloatRegister load(const float* p) {
        return FloatRegister(hn::LoadU(FloatLanes(), p));
    }
    HWY_INLINE void store(float* p) const { hn::StoreU(raw, FloatLanes(), p); }
    /// The nearest floats of `float_lanes` doubles.
    static HWY_INLINE FloatRegister load(const double* p) {
        const auto low = hn::DemoteTo(HalfFloatLanes(), hn::LoadU(Lanes(), p));
        const auto high = hn::DemoteTo(HalfFloatLanes(), hn::LoadU(Lanes(), p + register_lanes));
        return FloatRegister(hn::Combine(FloatLanes(), high, low));
    }
    HWY_INLINE void store(double* p) const {
        const HalfFloatLanes half;
        hn::StoreU(hn::PromoteTo(Lanes(), hn::LowerHalf(half, raw)), Lanes(), p);
        hn::StoreU(hn::PromoteTo(Lanes(), hn::UpperHalf(half, raw)), Lanes(), p + register_lanes);
    }

    friend HWY_INLINE FloatRegister operator+(FloatRegister a, FloatRegister b) {
        return FloatRegister(hn::Add(a.raw, b.raw));
    }
    friend HWY_INLINE FloatRegister operator-(FloatRegister a, FloatRegister b) {
        return FloatRegister(hn::Sub(a.raw, b.raw));
    }
    friend HWY_INLINE FloatRegister operator*(FloatRegister a, FloatRegister b) {
        return FloatRegister(hn::Mul(a.raw, b.raw));
    }
    friend HWY_INLINE FloatRegister operator/(FloatRegister a, FloatRegister b) {
        return FloatRegister(hn::Div(a.raw, b.raw));
    }
    friend HWY_INLINE FloatRegister operator-(FloatRegister a) {
        return FloatRegister(hn::Neg(a.raw));
    }
    friend HWY_INLINE FloatMask operator<(FloatRegister a, FloatRegister b) {
        return {hn::Lt(a.raw, b.raw)};
    }
    friend HWY_INLINE FloatMask operator>(FloatRegister a, FloatRegister b) {
        return {hn::Gt(a.raw, b.raw)};
    }
};

HWY_INLINE FloatRegister select(FloatMask condition, FloatRegister yes, FloatRegister no) {
    return FloatRegister(hn::IfThenElse(condition.raw, yes.raw, no.raw));
}
/// NaN in x passes through.
HWY_INLINE FloatRegister max(FloatRegister x, FloatRegister low) {
#if HWY_ARCH_X86
    return FloatRegister(hn::Max(low.raw, x.raw));
#else
    return select(x < low, low, x);
#endif
}
HWY_INLINE FloatRegister sqrt(FloatRegister x) {
    return FloatRegister(hn::Sqrt(x.raw));
}
/// a b + c.
HWY_INLINE FloatRegister multiply_add(FloatRegister a, FloatRegister b, FloatRegister c) {
    return FloatRegister(hn::MulAdd(a.raw, b.raw, c.raw));
}

/// x^(-1/2) for normal x > 0.
HWY_INLINE FloatRegister inverse_sqrt(FloatRegister x) {
#if HWY_TARGET == HWY_AVX3
    // With an estimate y of 14 bits and e = 1 - x y^2, the result is y (1 + e / 2).
    const FloatRegister y(FloatRegister::Raw{_mm512_rsqrt14_ps(x.raw.raw)});
    const FloatRegister e(hn::NegMulAdd((x * y).raw, y.raw, FloatRegister(1.0).raw));
    return multiply_add(y * FloatRegister(0.5), e, y);
#else
    return FloatRegister(1.0) / sqrt(x);
#endif
}

/// a / b for normal b.
HWY_INLINE FloatRegister ratio(FloatRegister a, FloatRegister b) {
#if HWY_TARGET == HWY_AVX3
    const FloatRegister y(FloatRegister::Raw{_mm512_rcp14_ps(b.raw.raw)});
    const FloatRegister e(hn::NegMulAdd(b.raw, y.raw, FloatRegister(1.0).raw));
    return a * multiply_add(y, e, y);
#else
    return a / b;
#endif
}

/// The square root of x >= 0; of subnormal numbers 0.
HWY_INLINE FloatRegister root(FloatRegister x) {
#if HWY_TARGET == HWY_AVX3
    return x * inverse_sqrt(max(x, FloatRegister(std::numeric_limits<float>::min())));
#else
    return sqrt(x);
#endif
}

/// Calls a function of numbers lane by lane, in double precision: exact but slow.
template <class Function, std::same_as<FloatRegister>... Registers>
HWY_INLINE FloatRegister each_lane(Function function, Registers... x) {
    alignas(64) double lanes[sizeof...(x)][float_lanes];
    std::size_t k = 0;
    (x.store(lanes[k++]), ...);
    for (std::size_t lane = 0; lane < float_lanes; ++lane) {
        k = 0;
        // In braces, because these are evaluated from left to right.
        const std::array<double, sizeof...(x)> of_lane{((void)x, lanes[k++][lane])...};
        lanes[0][lane] = std::apply(function, of_lane);
    }
    return FloatRegister::load(lanes[0]);
}

HWY_INLINE FloatRegister exp(FloatRegister x) {
    return each_lane([](double lane) { return std::exp(lane); }, x);
}
/// x^y for x >= 0.
HWY_INLINE FloatRegister parameter_power(FloatRegister x, FloatRegister y) {
    return each_lane([](double base, double power) { return std::pow(base, power); }, x, y);
}

using FloatTriple = laws::Triple<FloatRegister>;

}  // namespace beadwave::simd::BEADWAVE_TARGET
