// Xiong: compliance and damping from one differential-algebraic inclusion.
//
// The text's state a follows the overlap's power s = delta^lambda with the rate gamma
// [CorralReview Eqs (5.81), (5.82)]:
//
//     a_dot = max(-gamma a / (1 + gamma (beta_1 + beta_2 a)), gamma (s - a))
//     F = K max(0, s + gamma (beta_1 + beta_2 a) (s - a))
//
// gamma makes the inclusion a differential equation. A law here does not know the time in which a
// could relax, so it is this system's limit for a large gamma: a = s and gamma (s - a) = s_dot,
// that is
//
//     F = K max(0, s + (beta_1 + beta_2 s) s_dot),   s_dot = lambda delta^(lambda - 1) delta_dot
//
// The text says that the restitution falls with gamma up to some value and then stays constant:
// this law has that constant value. beta_1 makes the contact end at a residual overlap of about
// beta_1 lambda |delta_dot|. The minus sign and the bars in the text are its direction of forces
// and |p|. The spring stores K delta^(lambda+1) / (lambda + 1).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct Xiong {
    template <class U>
    using Rebind = Xiong<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;       ///< K [N/m^lambda]
    T exponent;        ///< lambda >= 1 [-]
    T damping;         ///< beta_1 [s]
    T damping_growth;  ///< beta_2 [s/m^lambda]

    static constexpr auto fields() {
        return std::make_tuple(&Xiong::stiffness, &Xiong::exponent, &Xiong::damping,
                               &Xiong::damping_growth);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T slope =
            parameter_power(x, exponent - T(1.0));  // 1 at zero overlap where lambda is 1
        const T s = x * slope;
        const T rate = exponent * slope * approach_speed;
        const T force = stiffness * (s + (damping + damping_growth * s) * rate);
        return {select(overlap <= T(0.0), T(0.0), max(force, T(0.0))), memory};
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return stiffness * x * parameter_power(x, exponent) / (exponent + T(1.0));
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
