// Two registers as one vector. The operations of a law depend on one another; two independent
// sequences of them keep the processor busy. Included like vector_number.inl.hpp.

namespace beadwave::dynamics::BEADWAVE_TARGET {

inline constexpr std::size_t lane_count = 2 * register_lanes;
static_assert(block_beads % lane_count == 0);

/// A condition per lane.
struct Mask {
    RegisterMask low, high;

    friend HWY_INLINE Mask operator&(Mask a, Mask b) { return {a.low & b.low, a.high & b.high}; }
    friend HWY_INLINE Mask operator|(Mask a, Mask b) { return {a.low | b.low, a.high | b.high}; }
    friend HWY_INLINE Mask operator&&(Mask a, Mask b) { return a & b; }
    friend HWY_INLINE Mask operator||(Mask a, Mask b) { return a | b; }
    friend HWY_INLINE Mask operator!(Mask a) { return {!a.low, !a.high}; }
    friend HWY_INLINE bool any(Mask a) { return any(a.low | a.high); }
};

struct Vector {
    Register low, high;

    HWY_INLINE Vector() = default;
    HWY_INLINE Vector(double x) : low(x), high(x) {}  // NOLINT: laws mix numbers and lanes
    HWY_INLINE Vector(Register first, Register second) : low(first), high(second) {}

    static HWY_INLINE Vector load(const double* p) {
        return {Register::load(p), Register::load(p + register_lanes)};
    }
    HWY_INLINE void store(double* p) const {
        low.store(p);
        high.store(p + register_lanes);
    }

    friend HWY_INLINE Vector operator+(Vector a, Vector b) {
        return {a.low + b.low, a.high + b.high};
    }
    friend HWY_INLINE Vector operator-(Vector a, Vector b) {
        return {a.low - b.low, a.high - b.high};
    }
    friend HWY_INLINE Vector operator*(Vector a, Vector b) {
        return {a.low * b.low, a.high * b.high};
    }
    friend HWY_INLINE Vector operator/(Vector a, Vector b) {
        return {a.low / b.low, a.high / b.high};
    }
    friend HWY_INLINE Vector operator-(Vector a) { return {-a.low, -a.high}; }
    friend HWY_INLINE Vector& operator+=(Vector& a, Vector b) { return a = a + b; }
    friend HWY_INLINE Vector& operator-=(Vector& a, Vector b) { return a = a - b; }
    friend HWY_INLINE Vector& operator*=(Vector& a, Vector b) { return a = a * b; }

    friend HWY_INLINE Mask operator<(Vector a, Vector b) {
        return {a.low < b.low, a.high < b.high};
    }
    friend HWY_INLINE Mask operator>(Vector a, Vector b) {
        return {a.low > b.low, a.high > b.high};
    }
    friend HWY_INLINE Mask operator<=(Vector a, Vector b) {
        return {a.low <= b.low, a.high <= b.high};
    }
    friend HWY_INLINE Mask operator>=(Vector a, Vector b) {
        return {a.low >= b.low, a.high >= b.high};
    }
    friend HWY_INLINE Mask operator==(Vector a, Vector b) {
        return {a.low == b.low, a.high == b.high};
    }
    friend HWY_INLINE Mask operator!=(Vector a, Vector b) {
        return {a.low != b.low, a.high != b.high};
    }
};

HWY_INLINE Vector select(Mask condition, Vector yes, Vector no) {
    return {select(condition.low, yes.low, no.low), select(condition.high, yes.high, no.high)};
}
HWY_INLINE Vector max(Vector x, Vector low) {
    return {max(x.low, low.low), max(x.high, low.high)};
}
HWY_INLINE Vector min(Vector x, Vector high) {
    return {min(x.low, high.low), min(x.high, high.high)};
}
HWY_INLINE Vector abs(Vector x) {
    return {abs(x.low), abs(x.high)};
}
HWY_INLINE Vector fabs(Vector x) {
    return abs(x);
}
HWY_INLINE Vector sqrt(Vector x) {
    return {sqrt(x.low), sqrt(x.high)};
}
HWY_INLINE Vector cbrt(Vector x) {
    return {cbrt(x.low), cbrt(x.high)};
}
HWY_INLINE Vector log(Vector x) {
    return {log(x.low), log(x.high)};
}
HWY_INLINE Vector exp(Vector x) {
    return {exp(x.low), exp(x.high)};
}
HWY_INLINE Vector cos(Vector x) {
    return {cos(x.low), cos(x.high)};
}
HWY_INLINE Vector pow(Vector x, Vector y) {
    return {pow(x.low, y.low), pow(x.high, y.high)};
}
template <class Function, std::same_as<Vector>... Vectors>
HWY_INLINE Vector each_lane(Function function, Vectors... x) {
    return {each_lane(function, x.low...), each_lane(function, x.high...)};
}
HWY_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
}

/// x^(-1/2) for normal x > 0.
HWY_INLINE Vector inverse_sqrt(Vector x) {
#if HWY_TARGET == HWY_AVX3
    // With an estimate y of 14 bits and e = 1 - x y^2, the result is y (1 - e)^(-1/2); four terms
    // of its series are exact to one ulp.
    const Vector y{inverse_root_estimate(x.low), inverse_root_estimate(x.high)};
    const Vector h = x * y;
    const Vector e{multiply_subtract(h.low, y.low, Register(1.0)),
                   multiply_subtract(h.high, y.high, Register(1.0))};
    const Vector series =
        multiply_add(e, multiply_add(e, Vector(5.0 / 16.0), Vector(3.0 / 8.0)), Vector(0.5));
    return multiply_add(y * e, series, y);
#else
    return 1.0 / sqrt(x);
#endif
}

/// x^(3/2), 0 for x <= 0.
HWY_INLINE Vector power_3_2(Vector x) {
#if HWY_TARGET == HWY_AVX3
    // The square root of the hardware takes 16 cycles. With an estimate y of 14 bits, h = x y and
    // e = 1 - h y, sqrt(x) = h (1 - e)^(-1/2); four terms of the series are exact to one ulp.
    // Numbers below 1e-300 are replaced by it: their power is zero.
    const Vector base = max(x, Vector(1e-300));
    const Vector y{inverse_root_estimate(base.low), inverse_root_estimate(base.high)};
    const Vector h = base * y;
    const Vector e{multiply_subtract(h.low, y.low, Register(1.0)),
                   multiply_subtract(h.high, y.high, Register(1.0))};
    const Vector power = base * h;
    const Vector series =
        multiply_add(e, multiply_add(e, Vector(5.0 / 16.0), Vector(3.0 / 8.0)), Vector(0.5));
    return multiply_add(power * e, series, power);
#else
    const Vector base = max(x, Vector(0.0));
    return base * sqrt(base);
#endif
}

/// The lanes of `now` moved up by one; the first is the last of `before`.
HWY_INLINE Vector moved_up(Vector before, Vector now) {
    return {moved_up(before.high, now.low), moved_up(now.low, now.high)};
}
/// The lanes of `now` moved down by one; the last is the first of `after`.
HWY_INLINE Vector moved_down(Vector now, Vector after) {
    return {moved_down(now.low, now.high), moved_down(now.high, after.low)};
}

HWY_INLINE bool same_bits(Vector a, Vector b) {
    return same_bits(a.low, b.low) && same_bits(a.high, b.high);
}
HWY_INLINE bool any_minus_zero(Vector a) {
    return any_minus_zero(a.low) || any_minus_zero(a.high);
}

}  // namespace beadwave::dynamics::BEADWAVE_TARGET
