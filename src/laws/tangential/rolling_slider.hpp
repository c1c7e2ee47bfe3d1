// Resistance to rolling and twisting: for each a rotational spring with dashpot and slider
// [Iwashita and Oda 1998; Ai et al. 2011], on the relative angular velocity of the two bodies.
//
//     M grows by k_r dtheta,  k_r = R^2 8 G* sqrt(R delta),  |M_roll| <= mu_r R F_n,
//     |M_twist| <= mu_t R F_n
//
// with R the effective radius: the torque that the tangential spring would have with the arm R.
// Like Mindlin's force by increments it shrinks with the contact radius, so that it cannot create
// energy. The dashpot acts only while its torque and the spring's together stay below the limit.
#pragma once

#include "laws/tangential/slider.hpp"

namespace beadwave::laws {

/// The relative rotation of the two bodies in one step.
template <class T>
struct Turn {
    Triple<T> angle;     ///< of the first against the second, in this step [rad]
    Triple<T> mean;      ///< relative angular velocity in the middle of the step [rad/s]
    Triple<T> velocity;  ///< at the end of the step [rad/s]
    Triple<T> normal;    ///< unit
    T overlap;           ///< [m]
    T normal_force;      ///< [N]
};

template <class T>
struct RollingSlider {
    template <class U>
    using Rebind = RollingSlider<U>;

    T stiffness;  ///< R^2 8 G* sqrt(R) [N m/m^0.5]
    T rolling;    ///< mu_r R [m]
    T twisting;   ///< mu_t R [m]
    T damping;    ///< ratio x 2 sqrt(I) [kg^0.5 m]; times sqrt(k_r): the damping coefficient

    static constexpr auto fields() {
        return std::make_tuple(&RollingSlider::stiffness, &RollingSlider::rolling,
                               &RollingSlider::twisting, &RollingSlider::damping);
    }

    /// Memory: the torque of the springs [N m] and k_r [N m]. The `force` of the response is a
    /// torque on the second body; the first body gets minus it.
    SliderResponse<T, SliderMemory<T>> respond(const Turn<T>& turn,
                                               const SliderMemory<T>& before) const {
        const T k = stiffness * sqrt(max(turn.overlap, T(0.0)));
        const T kept = select(k < before.number,
                              k / select(before.number > T(0.0), before.number, T(1.0)), T(1.0));
        const Triple<T> spring = before.vector * kept + turn.angle * (T(0.5) * (k + before.number));
        const T c = damping * sqrt(k);
        const T normal_force = max(turn.normal_force, T(0.0));
        const Triple<T> spring_along = along(spring, turn.normal),
                        twist_rate = along(turn.velocity, turn.normal);
        const Part twist = part(spring_along, c * twist_rate, twisting * normal_force);
        const Part roll =
            part(spring - spring_along, c * (turn.velocity - twist_rate), rolling * normal_force);
        const Triple<T> next = twist.spring + roll.spring;
        const Triple<T> mean_along = along(turn.mean, turn.normal);
        const Triple<T> dashpots =
            (c * twist.damps) * mean_along + (c * roll.damps) * (turn.mean - mean_along);
        const T work = dot(T(0.5) * (before.vector + next) + dashpots, turn.angle);
        return {twist.torque + roll.torque, {next, k}, work};
    }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        const T k = memory.number;
        return select(k > T(0.0),
                      T(0.5) * dot(memory.vector, memory.vector) / select(k > T(0.0), k, T(1.0)),
                      T(0.0));
    }

  private:
    static Triple<T> along(Triple<T> v, Triple<T> normal) { return dot(v, normal) * normal; }

    struct Part {
        Triple<T> torque, spring;
        T damps;  // 1 if the dashpot acts, otherwise 0
    };
    static Part part(Triple<T> spring, Triple<T> dashpot, T limit) {
        const Triple<T> kept = spring * cut_factor(dot(spring, spring), limit);
        const Triple<T> both = kept + dashpot;
        const auto within = dot(both, both) <= limit * limit;
        const T damps = select(within, T(1.0), T(0.0));
        return {kept + damps * dashpot, kept, damps};
    }
};

}  // namespace beadwave::laws
