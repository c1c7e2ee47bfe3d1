// The interface of tangential laws, which give the force in the contact plane.
//
//     SliderResponse<T, Memory> respond(const Slide<T>&, const Memory&) const;
//     T stored_energy(T overlap, const Memory&) const;
//     T tangential_stiffness(T overlap) const;                                            [N/m]
//     T tangential_damping(T overlap) const;                                            [N s/m]
//
// The force acts on the second body in the direction of the slip; the first body gets minus it.
// Like the slip it lies in the contact plane. It is at most mu times the normal force. `work` is
// the work of the two bodies on the contact in the step: the part of it that `stored_energy` does
// not hold afterwards was dissipated by sliding or by a dashpot. As with normal laws, a law returns
// its next memory and never writes it; Memory{} is that of a contact that never touched. The caller
// rotates Memory::vector with the contact plane before the call (turned() below), so that its
// length stays the same.
//
// The memory turns with the contact plane, but not about its normal: when two bodies spin together
// about their common normal, the spring keeps its direction while the material that it stands for
// turns by the angle (w_1 + w_2).n t / 2. This rotates the force against that of the true spring by
// the spin times the duration of the contact. In an oblique impact of two spheres that both spin at
// 3000 rad/s about the normal, the tangential velocity afterwards was 0.0041 m/s; with a spring
// that turns it is 0.0058 m/s.
//
// Second order in the step: the slip is that of the middle of the step, and the stiffness is the
// mean of its values at the two ends.
#pragma once

#include "beadwave/laws/number.hpp"
#include "beadwave/laws/response.hpp"
#include "laws/triple.hpp"

#include <cstddef>

namespace beadwave::laws {

/// The motion of the contact point in one step.
template <class T>
struct Slide {
    Triple<T> slip;      ///< of the first body along the second, in this step [m]
    Triple<T> mean;      ///< the slip velocity in the middle of the step [m/s]
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
    Triple<T> vector;  ///< defined by the law [N or m]
    T number;          ///< defined by the law

    static constexpr std::size_t fields = 4;
};

/// Rotates a vector v with the contact plane over a step: `middle` is the direction of the normal
/// in the middle of the step, of any length, and `normal` the unit normal at its end. The
/// reflection in the middle direction turns a vector of the old plane into one of the new plane
/// without changing its length. The component along the normal that rounding and the step leave is
/// removed.
template <class T>
Triple<T> turned(Triple<T> v, Triple<T> middle, T inverse_middle_squared, Triple<T> normal) {
    const Triple<T> reflected = plus(v, T(-2.0) * dot(v, middle) * inverse_middle_squared, middle);
    return plus(reflected, -dot(reflected, normal), normal);
}

/// The factor that limits a vector of squared length `squared` to the length `limit` >= 0.
template <class T>
T cut_factor(T squared, T limit) {
    const auto slides = squared > limit * limit;
    if (!any(slides)) return T(1.0);
    return select(slides, limit / sqrt(max(squared, T(1e-300))), T(1.0));
}

}  // namespace beadwave::laws
