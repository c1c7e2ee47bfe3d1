// How stiff and how strongly damped a contact is at present: the slopes of its law.
#pragma once

#include "beadwave/laws/number.hpp"

namespace beadwave::laws {

template <class T>
struct Slopes {
    T stiffness;  ///< dF/d(delta) [N/m]
    T damping;    ///< dF/d(delta_dot) [N s/m]
};

/// The most that the force of the dashpot, fast - slow, changes per overlap [N/m]. In a step the
/// overlap changes by approach_speed * time_step, and that force by no more than itself: where
/// contact ends it is zero. A steeper slope, as of overlap^(1/4) near zero overlap, is not one
/// that the step meets; the dashpot's own limit, damping * time_step / mass, is what bounds it.
template <class T>
T steepest_in_step(T fast, T slow, T approach_speed, T time_step) {
    return fabs(fast - slow) / max(fabs(approach_speed) * time_step, T(1e-200));
}

/// Magnitudes of both, by differences of the law at an overlap [m] and approach speed [m/s] with
/// its memory there; zero for an open contact. `speed` [m/s] > 0 is the difference of the approach
/// speed: if a damping is steep only at small speeds, the result is its value at that speed.
///
/// The result is the smaller of the slopes to either side. So where a law changes from loading to
/// unloading it is the loading one, and the jump that some laws have does not count. How a dashpot
/// depends on the overlap counts as far as a step of `time_step` [s] meets it; the elastic slope,
/// that at an approach speed of zero, always counts in full.
template <class Law, class T, class Memory>
Slopes<T> slopes(const Law& law, T overlap, T approach_speed, const Memory& memory, T speed,
                 T time_step) {
    constexpr double part = 0x1p-12;
    const T x = max(overlap, T(1e-200));
    const T h = x * T(part);
    const auto slope_at = [&](T v, T here) {
        const T above = fabs(law.respond(x + h, v, memory).force - here);
        const T below = fabs(here - law.respond(x - h, v, memory).force);
        return min(above, below) / h;
    };
    const T here = law.respond(x, approach_speed, memory).force;
    const T slow = law.respond(x, T(0.0), memory).force;
    const T faster = law.respond(x, approach_speed + speed, memory).force;
    const T in_step =
        slope_at(T(0.0), slow) + steepest_in_step(here, slow, approach_speed, time_step);
    const auto closed = overlap > T(0.0);
    return {.stiffness = select(closed, min(slope_at(approach_speed, here), in_step), T(0.0)),
            .damping = select(closed, fabs(faster - here) / speed, T(0.0))};
}

/// The slopes, to the bit, of a law whose force does not depend on the approach speed.
template <class Law, class T, class Memory>
Slopes<T> elastic_slopes(const Law& law, T overlap, const Memory& memory) {
    constexpr double part = 0x1p-12;
    const T x = max(overlap, T(1e-200));
    const T h = x * T(part);
    const T here = law.respond(x, T(0.0), memory).force;
    const T above = fabs(law.respond(x + h, T(0.0), memory).force - here);
    const T below = fabs(here - law.respond(x - h, T(0.0), memory).force);
    return {.stiffness = select(overlap > T(0.0), min(above, below) / h, T(0.0)),
            .damping = T(0.0)};
}

}  // namespace beadwave::laws
