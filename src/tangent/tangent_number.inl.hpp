// A vector of numbers with their derivatives along a few directions. Included by
// vector_code.cpp.
//
// The numbers equal those of the tiled engine to the bit: what a derivative needs is computed
// separately. Conditions use the numbers only.

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {

static_assert(tangent_block % register_lanes == 0);

struct Dual {
    Register value;
    Register along[tangent_directions];

    HWY_INLINE Dual() {}
    HWY_INLINE Dual(double x) : value(x) {}  // NOLINT: laws mix numbers and lanes
    HWY_INLINE explicit Dual(Register x) : value(x) {}

    /// value' = function'(x) x'.
    static HWY_INLINE Dual chain(Register value, Register slope, const Dual& x) {
        Dual result;
        result.value = value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            result.along[k] = slope * x.along[k];
        return result;
    }

    static HWY_INLINE Dual load(const double* p, std::size_t stride) {
        Dual x;
        x.value = Register::load(p);
        for (std::size_t k = 0; k < tangent_directions; ++k)
            x.along[k] = Register::load(p + (k + 1) * stride);
        return x;
    }
    /// One number in all lanes.
    static HWY_INLINE Dual fill(const DualNumber& number) {
        Dual x(number[0]);
        for (std::size_t k = 0; k < tangent_directions; ++k)
            x.along[k] = Register(number[k + 1]);
        return x;
    }
    HWY_INLINE void store(double* p, std::size_t stride) const {
        value.store(p);
        for (std::size_t k = 0; k < tangent_directions; ++k)
            along[k].store(p + (k + 1) * stride);
    }

    friend HWY_INLINE Dual operator+(const Dual& a, const Dual& b) {
        Dual sum;
        sum.value = a.value + b.value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            sum.along[k] = a.along[k] + b.along[k];
        return sum;
    }
    friend HWY_INLINE Dual operator-(const Dual& a, const Dual& b) {
        Dual difference;
        difference.value = a.value - b.value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            difference.along[k] = a.along[k] - b.along[k];
        return difference;
    }
    friend HWY_INLINE Dual operator*(const Dual& a, const Dual& b) {
        Dual product;
        product.value = a.value * b.value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            product.along[k] = multiply_add(a.along[k], b.value, a.value * b.along[k]);
        return product;
    }
    friend HWY_INLINE Dual operator/(const Dual& a, const Dual& b) {
        Dual quotient;
        quotient.value = a.value / b.value;
        const Register inverse = Register(1.0) / b.value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            quotient.along[k] = (a.along[k] - quotient.value * b.along[k]) * inverse;
        return quotient;
    }
    friend HWY_INLINE Dual operator-(const Dual& a) { return Dual::chain(-a.value, -1.0, a); }
    friend HWY_INLINE Dual& operator+=(Dual& a, const Dual& b) { return a = a + b; }
    friend HWY_INLINE Dual& operator-=(Dual& a, const Dual& b) { return a = a - b; }
    friend HWY_INLINE Dual& operator*=(Dual& a, const Dual& b) { return a = a * b; }

    friend HWY_INLINE RegisterMask operator<(const Dual& a, const Dual& b) {
        return a.value < b.value;
    }
    friend HWY_INLINE RegisterMask operator>(const Dual& a, const Dual& b) {
        return a.value > b.value;
    }
    friend HWY_INLINE RegisterMask operator<=(const Dual& a, const Dual& b) {
        return a.value <= b.value;
    }
    friend HWY_INLINE RegisterMask operator>=(const Dual& a, const Dual& b) {
        return a.value >= b.value;
    }
    friend HWY_INLINE RegisterMask operator==(const Dual& a, const Dual& b) {
        return a.value == b.value;
    }
    friend HWY_INLINE RegisterMask operator!=(const Dual& a, const Dual& b) {
        return a.value != b.value;
    }

    /// The value with derivatives of `yes` where the condition holds, otherwise of `no`.
    static HWY_INLINE Dual pick(Register value, RegisterMask condition, const Dual& yes,
                                const Dual& no) {
        Dual result;
        result.value = value;
        for (std::size_t k = 0; k < tangent_directions; ++k)
            result.along[k] = select(condition, yes.along[k], no.along[k]);
        return result;
    }
};

HWY_INLINE Dual select(RegisterMask condition, const Dual& yes, const Dual& no) {
    return Dual::pick(select(condition, yes.value, no.value), condition, yes, no);
}
HWY_INLINE Dual max(const Dual& x, const Dual& low) {
    return Dual::pick(max(x.value, low.value), x < low, low, x);
}
HWY_INLINE Dual min(const Dual& x, const Dual& high) {
    return Dual::pick(min(x.value, high.value), x > high, high, x);
}
HWY_INLINE Dual fabs(const Dual& x) {
    return Dual::chain(fabs(x.value), select(x.value < 0.0, Register(-1.0), Register(1.0)), x);
}
HWY_INLINE Dual copysign(const Dual& size, const Dual& sign) {
    const Register value = copysign(size.value, sign.value);
    return Dual::pick(value, value == size.value, size, -size);
}
/// No derivative at zero.
HWY_INLINE Dual sqrt(const Dual& x) {
    const Register root = sqrt(x.value);
    return Dual::chain(root, select(root > 0.0, 0.5 / root, Register()), x);
}
/// No derivative at zero.
HWY_INLINE Dual cbrt(const Dual& x) {
    const Register root = cbrt(x.value);
    return Dual::chain(root, select(root != 0.0, 1.0 / (3.0 * root * root), Register()), x);
}
HWY_INLINE Dual log(const Dual& x) {
    return Dual::chain(log(x.value), 1.0 / x.value, x);
}
HWY_INLINE Dual exp(const Dual& x) {
    const Register power = exp(x.value);
    return Dual::chain(power, power, x);
}
HWY_INLINE Dual expm1(const Dual& x) {
    const Register less_one = expm1(x.value);
    return Dual::chain(less_one, less_one + 1.0, x);
}
/// No derivative at the origin.
HWY_INLINE Dual angle_above(const Dual& y, const Dual& x) {
    const Register squared = x.value * x.value + y.value * y.value;
    const Register inverse = select(squared > 0.0, 1.0 / squared, Register());
    return Dual::chain(angle_above(y.value, x.value), x.value * inverse, y) +
           Dual::chain(Register(), -y.value * inverse, x);
}
/// No derivative at zero.
HWY_INLINE Dual root(const Dual& x) {
    const Register r = root(x.value);
    return Dual::chain(r, select(r > 0.0, 0.5 / r, Register()), x);
}
HWY_INLINE Dual ratio(const Dual& a, const Dual& b) {
    Dual quotient = a / b;
    quotient.value = ratio(a.value, b.value);
    return quotient;
}
HWY_INLINE Dual cos(const Dual& x) {
    return Dual::chain(cos(x.value), -sin(x.value), x);
}
HWY_INLINE Dual sin(const Dual& x) {
    return Dual::chain(sin(x.value), cos(x.value), x);
}
HWY_INLINE Dual multiply_add(const Dual& a, const Dual& b, const Dual& c) {
    Dual result = a * b + c;
    result.value = multiply_add(a.value, b.value, c.value);
    return result;
}
HWY_INLINE Dual chained_inverse_root(Register y, const Dual& x) {
    return Dual::chain(y, -0.5 * y * y * y, x);
}
HWY_INLINE Dual inverse_sqrt(const Dual& x) {
    return chained_inverse_root(inverse_sqrt(x.value), x);
}
HWY_INLINE Dual rough_inverse_root(const Dual& x) {
    return chained_inverse_root(rough_inverse_root(x.value), x);
}
HWY_INLINE Dual rough_root(const Dual& x) {
    const Register r = rough_root(x.value);
    return Dual::chain(r, 0.5 / r, x);
}
HWY_INLINE Dual power_3_2(const Dual& x) {
#if HWY_TARGET == HWY_AVX3
    const Register base = max(x.value, 1e-300);
    const Register root = base * inverse_sqrt(base);  // the same expression as in the power
#else
    const Register root = sqrt(max(x.value, 0.0));
#endif
    return Dual::chain(power_3_2(x.value), 1.5 * root, x);
}

HWY_INLINE double first_lane(const Dual& x) {
    return first_lane(x.value);
}

HWY_INLINE RegisterMask varies(const Dual& x) {
    RegisterMask any_direction = x.along[0] != Register(0.0);
    for (std::size_t k = 1; k < tangent_directions; ++k)
        any_direction = any_direction | (x.along[k] != Register(0.0));
    return any_direction;
}

/// The derivatives of x^y; none at x = 0.
HWY_NOINLINE inline Dual chained_power(Register power, const Dual& x, const Dual& y) {
    const RegisterMask positive = x.value > 0.0;
    Dual result = Dual::chain(power, select(positive, y.value * power / x.value, Register()), x);
    if (any(varies(y))) {
        const Register by_exponent =
            select(positive, power * log(select(positive, x.value, Register(1.0))), Register());
        for (std::size_t k = 0; k < tangent_directions; ++k)
            result.along[k] = multiply_add(by_exponent, y.along[k], result.along[k]);
    }
    return result;
}

HWY_INLINE Dual pow(const Dual& x, const Dual& y) {
    return chained_power(pow(x.value, y.value), x, y);
}
HWY_INLINE Dual parameter_power(const Dual& x, const Dual& y) {
    return chained_power(parameter_power(x.value, y.value), x, y);
}
HWY_INLINE std::pair<Dual, Dual> parameter_powers(const Dual& x, const Dual& a, const Dual& b) {
    const auto powers = parameter_powers(x.value, a.value, b.value);
    return {chained_power(powers.first, x, a), chained_power(powers.second, x, b)};
}

/// Differentiates a function of plain numbers in each lane by central differences, to eight digits.
template <class Function, std::same_as<Dual>... Duals>
HWY_INLINE Dual each_lane(Function function, const Duals&... x) {
    constexpr std::size_t count = sizeof...(x);
    alignas(64) double lanes[count][register_lanes], slopes[count][register_lanes];
    std::size_t j = 0;
    (x.value.store(lanes[j++]), ...);
    j = 0;
    const bool needed[] = {any(varies(x))...};
    for (std::size_t lane = 0; lane < register_lanes; ++lane) {
        j = 0;
        // In braces, because these are evaluated from left to right.
        std::array<double, count> place{((void)x, lanes[j++][lane])...};
        for (j = 0; j < count; ++j) {
            if (!needed[j]) continue;
            const double at = place[j];
            double reach = 1e-7 * std::abs(at) + 1e-30;
            if constexpr (requires { function.reach(j, at); }) reach = function.reach(j, at);
            place[j] = at + reach;
            const double above = std::apply(function, place);
            place[j] = at - reach;
            slopes[j][lane] = (above - std::apply(function, place)) / (2.0 * reach);
            place[j] = at;
        }
    }
    Dual result(each_lane(function, x.value...));
    j = 0;
    const auto add = [&](const Dual& each) HWY_ATTR {
        if (needed[j]) {
            const Register slope = Register::load(slopes[j]);
            for (std::size_t k = 0; k < tangent_directions; ++k)
                result.along[k] += slope * each.along[k];
        }
        ++j;
    };
    (add(x), ...);
    return result;
}

HWY_INLINE Dual moved_up(const Dual& before, const Dual& now) {
    Dual moved;
    moved.value = moved_up(before.value, now.value);
    for (std::size_t k = 0; k < tangent_directions; ++k)
        moved.along[k] = moved_up(before.along[k], now.along[k]);
    return moved;
}
HWY_INLINE Dual moved_down(const Dual& now, const Dual& after) {
    Dual moved;
    moved.value = moved_down(now.value, after.value);
    for (std::size_t k = 0; k < tangent_directions; ++k)
        moved.along[k] = moved_down(now.along[k], after.along[k]);
    return moved;
}

}  // namespace beadwave::dynamics::tangent::BEADWAVE_TARGET
