// What laws with adhesion have in addition to the members of response.hpp.
//
//     T range() const;
//         [m] how far beyond contact the bodies hold together: the force acts down to the overlap
//         -range(); 0: no further than contact
//     condition touches(T overlap, Memory)
//         whether they touch or hold together at this overlap, with the memory committed there
//     Grip<T> grip(T overlap, T force, Memory)
//         what friction and rolling resistance see
//     double well() const
//         [m] the overlap to which bodies at rest that just touch pull each other; the stored
//         energy is zero there again
//
// Without contact such a law has no force at or below zero overlap, like every law. A neck that
// has formed lasts until the overlap falls to -range(). Bodies that just touch, with an overlap of
// zero to the last digit, have no neck yet.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"
#include "beadwave/laws/slopes.hpp"

#include <concepts>
#include <tuple>

namespace beadwave::laws {

/// Memory of a law whose contacts last beyond zero overlap.
template <class T>
struct NeckMemory {
    T neck;  ///< 1 while the bodies touch or a neck holds them, otherwise 0 [-]
    static constexpr auto fields() { return std::make_tuple(&NeckMemory::neck); }
};

/// A contact as laws of friction and rolling see it; both zero where the bodies do not touch.
template <class T>
struct Grip {
    T overlap;  ///< a^2/R with the contact radius a: the overlap of Hertz's contact of that size
                ///< [m]
    T force;    ///< the force whose product with mu limits friction [N]; may be below 0
};

template <class Law>
concept AdhesiveLaw = requires(const Law& law) {
    law.range();
};

/// A law with adhesion that holds beyond contact.
template <class Law>
concept NeckLaw =
    AdhesiveLaw<Law> && std::same_as<typename Law::Memory, NeckMemory<decltype(Law{}.range())>>;

/// slopes() for a law with adhesion. A force that falls with the overlap, as near pull-off, makes
/// no vibration: it counts as zero stiffness.
template <class Law, class T, class Memory>
Slopes<T> adhesive_slopes(const Law& law, T overlap, T approach_speed, const Memory& memory,
                          T speed, T time_step) {
    constexpr double part = 0x1p-12;
    const T h = (max(overlap, T(0.0)) + law.range()) * T(part) + T(1e-200);
    const auto slope_at = [&](T v, T here) {
        const T above = law.respond(overlap + h, v, memory).force - here;
        const T below = here - law.respond(overlap - h, v, memory).force;
        return max(min(above, below), T(0.0)) / h;
    };
    const T here = law.respond(overlap, approach_speed, memory).force;
    const T slow = law.respond(overlap, T(0.0), memory).force;
    const T faster = law.respond(overlap, approach_speed + speed, memory).force;
    const T in_step =
        slope_at(T(0.0), slow) + steepest_in_step(here, slow, approach_speed, time_step);
    const auto closed = law.touches(overlap, memory);
    return {.stiffness = select(closed, min(slope_at(approach_speed, here), in_step), T(0.0)),
            .damping = select(closed, fabs(faster - here) / speed, T(0.0))};
}

}  // namespace beadwave::laws
