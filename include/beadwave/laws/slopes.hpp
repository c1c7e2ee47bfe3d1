// How stiff and how strongly damped a contact is at present: the slopes of its law.
#pragma once

#include "beadwave/laws/number.hpp"

namespace beadwave::laws {

template <class T>
struct Slopes {
    T stiffness;  ///< dF/d(delta) [N/m]
    T damping;    ///< dF/d(delta_dot) [N s/m]
};

/// Magnitudes of both, by differences of the law at an overlap [m] and approach speed [m/s] with
/// its memory there; zero for an open contact. `speed` [m/s] > 0 is the difference of the approach
/// speed: if a damping is steep only at small speeds, the result is its value at that speed.
///
/// The result is the smaller of the slopes to either side. So where a law changes from loading to
/// unloading it is the loading one, and the jump that some laws have does not count.
template <class Law, class T, class Memory>
Slopes<T> slopes(const Law& law, T overlap, T approach_speed, const Memory& memory, T speed) {
    constexpr double part = 0x1p-12;
    const T x = max(overlap, T(1e-200));
    const T h = x * T(part);
    const T here = law.respond(x, approach_speed, memory).force;
    const T above = fabs(law.respond(x + h, approach_speed, memory).force - here);
    const T below = fabs(here - law.respond(x - h, approach_speed, memory).force);
    const T faster = law.respond(x, approach_speed + speed, memory).force;
    const auto closed = overlap > T(0.0);
    return {.stiffness = select(closed, min(above, below) / h, T(0.0)),
            .damping = select(closed, fabs(faster - here) / speed, T(0.0))};
}

}  // namespace beadwave::laws
