// Two registers as one vector. The operations of a law depend on one another; two independent
// sequences of them keep the processor busy. Included by begin_vector_code.hpp.

namespace beadwave::simd::BEADWAVE_TARGET {

inline constexpr std::size_t lane_count = 2 * register_lanes;
static_assert(most_lanes % lane_count == 0);

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
HWY_INLINE Vector copysign(Vector size, Vector sign) {
    return {copysign(size.low, sign.low), copysign(size.high, sign.high)};
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
HWY_INLINE Vector expm1(Vector x) {
    return {expm1(x.low), expm1(x.high)};
}
HWY_INLINE Vector angle_above(Vector y, Vector x) {
    return {angle_above(y.low, x.low), angle_above(y.high, x.high)};
}
HWY_INLINE Vector ratio(Vector a, Vector b) {
    return {ratio(a.low, b.low), ratio(a.high, b.high)};
}
HWY_INLINE Vector root(Vector x) {
    return {root(x.low), root(x.high)};
}
HWY_INLINE Vector rough_root(Vector x) {
    return {rough_root(x.low), rough_root(x.high)};
}
HWY_INLINE Vector rough_inverse_root(Vector x) {
    return {rough_inverse_root(x.low), rough_inverse_root(x.high)};
}
HWY_INLINE Vector cos(Vector x) {
    return {cos(x.low), cos(x.high)};
}
HWY_INLINE Vector sin(Vector x) {
    return {sin(x.low), sin(x.high)};
}
HWY_INLINE Vector power_3_2(Vector x) {
    return {power_3_2(x.low), power_3_2(x.high)};
}
HWY_INLINE Vector pow(Vector x, Vector y) {
    return {pow(x.low, y.low), pow(x.high, y.high)};
}
HWY_INLINE Vector parameter_power(Vector x, Vector y) {
    return {parameter_power(x.low, y.low), parameter_power(x.high, y.high)};
}
HWY_INLINE std::pair<Vector, Vector> parameter_powers(Vector x, Vector a, Vector b) {
    const auto low = parameter_powers(x.low, a.low, b.low);
    const auto high = parameter_powers(x.high, a.high, b.high);
    return {{low.first, high.first}, {low.second, high.second}};
}
struct StartedPowers {
    BinaryLogarithm low, high;
};
HWY_INLINE StartedPowers start_pow(Vector x) {
    return {start_pow(x.low), start_pow(x.high)};
}
HWY_INLINE Vector finish_pow(StartedPowers started, Vector x, Vector y) {
    return {finish_pow(started.low, x.low, y.low), finish_pow(started.high, x.high, y.high)};
}
HWY_INLINE StartedPowers start_power(Vector x, Vector y) {
    return {start_power(x.low, y.low), start_power(x.high, y.high)};
}
HWY_INLINE Vector finish_power(StartedPowers started, Vector x, Vector y) {
    return {finish_power(started.low, x.low, y.low), finish_power(started.high, x.high, y.high)};
}
HWY_INLINE StartedPowers start_powers(Vector x, Vector a, Vector b) {
    return {start_powers(x.low, a.low, b.low), start_powers(x.high, a.high, b.high)};
}
HWY_INLINE std::pair<Vector, Vector> finish_powers(StartedPowers started, Vector x, Vector a,
                                                   Vector b) {
    const auto low = finish_powers(started.low, x.low, a.low, b.low);
    const auto high = finish_powers(started.high, x.high, a.high, b.high);
    return {{low.first, high.first}, {low.second, high.second}};
}
template <class Function, std::same_as<Vector>... Vectors>
HWY_INLINE Vector each_lane(Function function, Vectors... x) {
    return {each_lane(function, x.low...), each_lane(function, x.high...)};
}
HWY_INLINE Vector multiply_add(Vector a, Vector b, Vector c) {
    return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
}

HWY_INLINE double first_lane(Vector x) {
    return first_lane(x.low);
}
HWY_INLINE Vector inverse_sqrt(Vector x) {
    return {inverse_sqrt(x.low), inverse_sqrt(x.high)};
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

}  // namespace beadwave::simd::BEADWAVE_TARGET
