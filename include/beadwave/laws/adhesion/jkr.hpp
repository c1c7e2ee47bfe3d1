// JKR: two elastic spheres that adhere over the area where they touch, for soft bodies with a large
// work of adhesion w [J/m^2].
//
//     F = (4 E / (3 R)) a^3 - 2 sqrt(2 pi w E a^3)
//     delta = a^2/R - sqrt(2 pi w a / E)                  [Johnson, Kendall and Roberts 1971]
//
// with the contact radius a. When the bodies meet, at zero overlap, the contact jumps to the finite
// radius of that overlap, where it pulls with (8/9) F_c. When they part, a neck holds them beyond
// zero overlap until, at the smallest overlap of the two equations,
//
//     a_s = (pi w R^2 / (8 E))^(1/3),   delta_s = -3 a_s^2/R,   F = -(5/9) F_c,
//
// it breaks. The largest tension on the way is the pull-off force F_c = (3/2) pi w R.
//
// In s = sqrt(a/a_s) >= 1:  delta R/a_s^2 = s^4 - 4 s,   F = F_0 (s^6 - 6 s^3),
// F_0 = (4/3) E a_s^3/R = F_c/9. So with t = s - 1 and y = delta R/a_s^2 + 3
//
//     t^2 (t^2 + 4 t + 6) = y.
//
// With z = sqrt(y) and w = (1 + 0.92 z)^(-1/2), t = z w p(w): p has no zero and is smooth from the
// break, w = 1, to large overlaps, w = 0. A polynomial gives it to 8e-6. Three terms of the inverse
// series of the quartic leave the fourth power of the error of such a start, below 1e-15.
//
// Stored energy, elastic and of the surfaces, with 0 for the open contact:
//     U = (4 F_0 a_s^2/R) (s^10/10 - s^7 + (3/2) s^4).
// It is below zero where the contact forms and above zero where the neck breaks; both jumps are
// dissipated, 7.09 (w^5 R^4/E^2)^(1/3) together [Thornton and Ning 1998].
//
// A dashpot may act beside it: that of Tsuji with the contact radius of this law in place of
// Hertz's, F += alpha sqrt(K m) (a^2/R)^(1/4) delta_dot.
//
// Friction and rolling: their stiffness has this contact radius, and their limit is mu (F + 2 F_c)
// [Thornton 1991].
#pragma once

#include "beadwave/laws/neck.hpp"

#include <cmath>

namespace beadwave::laws {

template <class T>
struct Jkr {
    template <class U>
    using Rebind = Jkr<U>;
    using Memory = NeckMemory<T>;
    static constexpr bool conservative = false;

    T per_length;  ///< R/a_s^2 [1/m]
    T unit_force;  ///< F_0 = F_c/9 [N]
    T damping;     ///< alpha sqrt(K m) (a_s^2/R)^(1/4) [N s/m]

    static constexpr auto fields() {
        return std::make_tuple(&Jkr::per_length, &Jkr::unit_force, &Jkr::damping);
    }

    /// y: how far the overlap [m] is above that of the break, in a_s^2/R.
    T above_break(T overlap) const { return multiply_add(overlap, per_length, T(3.0)); }

    /// t at y, to 1e-4.
    static T rough_excess(T y) {
        const T z = rough_root(y);
        const T w = rough_inverse_root(multiply_add(T(0.92), z, T(1.0)));
        const T w2 = w * w;
        const T part = multiply_add(
            w2,
            multiply_add(w2, T(0.008924326303985045),
                         multiply_add(w, T(-0.12384995102145711), T(0.48414308303744963))),
            multiply_add(w, T(-0.9201451411000984), T(0.9591727933362865)));
        return z * w * part;
    }

    /// s at y, from such a t. With half a step of Newton's method, h = (y - f(t)) / (2 f'(t)) for
    /// the quartic f, it is s + 2 h + k h^2 + (k^2 + p) h^3: k = -2 f''/f' and p = -(4/3) f'''/f'.
    static T exact_root_radius(T y, T t) {
        const T s = T(1.0) + t;
        const T rest = multiply_add(t * t, multiply_add(T(-4.0) - t, t, T(-6.0)), y);
        // A plain quotient, because one in so many operations costs less than a series.
        const T inverse = T(0.25) / (t * multiply_add(t, multiply_add(T(2.0), t, T(6.0)), T(6.0)));
        const T h = rest * inverse;
        const T p = T(-64.0) * s * inverse;
        const T k = T(0.75) * s * p;
        return multiply_add(multiply_add(multiply_add(multiply_add(k, k, p), h, k), h, T(2.0)), h,
                            s);
    }

    /// y for a quotient, whose divisor must not be zero.
    static T off_break(T y) { return max(y, T(1e-200)); }

    /// sqrt(a/a_s) at y; 1 below that of the break.
    T root_radius(T above) const {
        const T y = off_break(above);
        return exact_root_radius(y, rough_excess(y));
    }

    struct Started {
        T above_break, excess;
    };
    Started start(T overlap, T /*approach_speed*/) const {
        const T y = above_break(overlap);
        return {y, rough_excess(off_break(y))};
    }
    Response<T, Memory> finish(Started started, T overlap, T approach_speed, Memory memory) const {
        // NaN is not open, so that it reaches the force.
        const auto open = select(memory.neck > T(0.0), started.above_break, overlap) <= T(0.0);
        const T s = exact_root_radius(off_break(started.above_break), started.excess);
        const T cube = s * s * s;
        const T force =
            multiply_add(unit_force * cube, cube - T(6.0), damping * approach_speed * s);
        return {select(open, T(0.0), force), {select(open, T(0.0), T(1.0))}};
    }
    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        return finish(start(overlap, approach_speed), overlap, approach_speed, memory);
    }

    T stored_energy(T overlap, Memory memory) const {
        const T s = root_radius(above_break(overlap));
        const T cube = s * s * s;
        const T energy = T(4.0) * unit_force / per_length * cube * s *
                         ((T(0.1) * cube - T(1.0)) * cube + T(1.5));
        return select(memory.neck > T(0.0), energy, T(0.0));
    }

    bool ends_in_tension() const { return true; }

    T range() const { return T(3.0) / per_length; }
    auto touches(T /*overlap*/, Memory memory) const { return memory.neck > T(0.0); }
    Grip<T> grip(T overlap, T force, Memory memory) const {
        const auto closed = memory.neck > T(0.0);
        const T s = root_radius(above_break(overlap));
        return {select(closed, s * s * s * s / per_length, T(0.0)),
                select(closed, force + T(18.0) * unit_force, T(0.0))};
    }
    /// Where s^3 = 5 + sqrt(10).
    double well() const {
        const double s = std::cbrt(5.0 + std::sqrt(10.0));
        return (s * s * s * s - 4.0 * s) / per_length;
    }
};

}  // namespace beadwave::laws
