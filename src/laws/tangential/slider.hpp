// What every tangential law answers: the force in the contact plane.
//
//     SliderResponse<T, Memory> respond(const Slide<T>&, const Memory&) const;
//     T stored_energy(T overlap, const Memory&) const;
//     T tangential_stiffness(T overlap) const;                                            [N/m]
//
// The force is what pushes the first body back and the second body along: the first gets minus it.
// It is in the contact plane as the slip is, and at most mu times the normal force. `work` is what
// the two bodies put into the contact in the step: what is not found in `stored_energy` afterwards
// has been dissipated by sliding, or by a dashpot. As with normal laws, a law returns its next
// memory and never writes it; Memory{} is a contact that was never touched. Whoever owns the
// contact turns Memory::vector with the contact plane before it asks (turned() below), so that its
// length is kept.
//
// Second order in the step: the slip is that of the middle of the step, in which the stiffness
// counts as the mean of its two ends.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"
#include "laws/triple.hpp"

#include <cstddef>

namespace beadwave::laws {

/// How the contact point moved in one step.
template <class T>
struct Slide {
    Triple<T> slip;      ///< of the first body along the second, in this step [m]
    Triple<T> mean;      ///< the same as a velocity in the middle of the step [m/s]
    Triple<T> velocity;  ///< at the end of the step [m/s]
    T overlap;           ///< at the end of the step [m]
    T normal_force;      ///< at the end of the step [N]
};

template <class T, class Memory>
struct SliderResponse {
    Triple<T> force;  ///< [N]
    Memory memory;
    T work;  ///< [J]
};

/// A vector in the contact plane and one number.
template <class T>
struct SliderMemory {
    Triple<T> vector;  ///< what the law says [N or m]
    T number;          ///< what the law says

    static constexpr std::size_t fields = 4;
};

/// The contact that was closed before a step, after it: `middle` is the direction of the normal in
/// the middle of the step, of any length, and `normal` the unit normal at its end. The reflection
/// in the middle direction turns a vector of the old plane into one of the new plane without
/// changing its length; what rounding and the step leave along the normal is taken away.
template <class T>
Triple<T> turned(Triple<T> v, Triple<T> middle, T inverse_middle_squared, Triple<T> normal) {
    const Triple<T> reflected = plus(v, T(-2.0) * dot(v, middle) * inverse_middle_squared, middle);
    return plus(reflected, -dot(reflected, normal), normal);
}

/// The factor that brings a vector of square `squared` below `limit` >= 0.
template <class T>
T cut_factor(T squared, T limit) {
    const auto slides = squared > limit * limit;
    if (!any(slides)) return T(1.0);
    return select(slides, limit / sqrt(at_least(squared, T(1e-300))), T(1.0));
}

}  // namespace beadwave::laws
