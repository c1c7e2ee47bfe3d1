// Jian: two viscoelastic spheres of one material, with a damper that starts gradually.
//
//     F = K delta^(3/2) + C (1 - exp(-t/T)) sqrt(delta) delta_dot,       delta > 0
//     K = 4 G_e sqrt(R) / (3 (1 - nu)),   C = 2 eta sqrt(R) / (1 - nu)
//                                                     [CorralReview Eqs (5.83), (5.84)]
//
// with the equilibrium shear modulus G_e, the damper's viscosity eta, the material's relaxation
// time T = eta/G_0 [Eqs (5.87), (5.88)] and the time t since contact began. G_e/(1 - nu) is the
// effective modulus of two bodies of one material: K is Hertz's.
//
// A law does not know the time. The text assumes the overlap delta_m sin(w t), w = pi/(2 t_m), with
// t_m from closing to the largest overlap [Eq. (5.89)]. In that motion overlap and speed give the
// time,
//
//     w t = atan2(w delta, delta_dot)        from 0 at closing to pi at opening
//
// and with it this is Eqs (5.90) and (5.91). t_m matters only while t is not far above T. The force
// becomes negative before zero overlap, unless `lowest_force` is 0. The spring stores
// (2/5) K delta^(5/2).
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"

namespace beadwave::laws {

template <class T>
struct Jian {
    template <class U>
    using Rebind = Jian<U>;
    using Memory = NoMemory;
    static constexpr bool conservative = false;

    T stiffness;     ///< K [N/m^1.5]
    T damping;       ///< C [N s/m^1.5]
    T frequency;     ///< w [1/s]
    T decay;         ///< 1 / (w T) [-]
    T lowest_force;  ///< 0: no tension; -infinity: contact lasts to zero overlap

    static constexpr auto fields() {
        return std::make_tuple(&Jian::stiffness, &Jian::damping, &Jian::frequency, &Jian::decay,
                               &Jian::lowest_force);
    }

    struct Started {
        T angle;  ///< w t
    };
    Started start(T overlap, T approach_speed) const {
        return {angle_above(frequency * max(overlap, T(0.0)), approach_speed)};
    }
    Response<T, Memory> finish(Started started, T overlap, T approach_speed, Memory memory) const {
        const T x = max(overlap, T(0.0));
        const T not_set_in = expm1(-decay * started.angle);
        const T force =
            root(x) * multiply_add(not_set_in, -damping * approach_speed, stiffness * x);
        return {select(overlap <= T(0.0), T(0.0), max(force, lowest_force)), memory};
    }
    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        return finish(start(overlap, approach_speed), overlap, approach_speed, memory);
    }

    T stored_energy(T overlap, Memory) const {
        const T x = max(overlap, T(0.0));
        return T(0.4) * stiffness * x * power_3_2(x);
    }

    bool ends_in_tension() const { return lowest_force < 0.0; }
};

}  // namespace beadwave::laws
