// A tangential spring of constant stiffness with a dashpot; their sum is limited by Coulomb's law
// [Cundall and Strack 1979].
//
//     f = k s + c v_t,   |f| <= mu F_n
//
// The sum decides. While it is within the limit the contact sticks, and nothing is cut, not even a
// spring that the dashpot holds back from beyond the limit. When the sum is beyond the limit the
// contact slides: f is the limit in the direction of the sum, and a spring that is beyond the limit
// alone is cut to it. A spring within the limit keeps its length.
// Stored energy: k s^2 / 2.
#pragma once

#include "laws/tangential/slider.hpp"

namespace beadwave::laws {

template <class T>
struct LinearSlider {
    template <class U>
    using Rebind = LinearSlider<U>;
    static constexpr bool needs_velocity = true;

    T stiffness;    ///< k [N/m]
    T damping;      ///< c [N s/m]
    T coefficient;  ///< mu [-]

    static constexpr auto fields() {
        return std::make_tuple(&LinearSlider::stiffness, &LinearSlider::damping,
                               &LinearSlider::coefficient);
    }

    /// Memory: the force of the spring without the dashpot [N].
    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const auto closed = slide.overlap > T(0.0);
        const Triple<T> spring = before.vector + stiffness * slide.slip;
        const Triple<T> dashpot = damping * slide.velocity;
        const Triple<T> trial = spring + dashpot;
        const T limit = coefficient * max(slide.normal_force, T(0.0));
        const T factor = select(closed, cut_factor(dot(trial, trial), limit), T(0.0));
        // The sum decides; only a contact that slides cuts its spring.
        const auto slides = factor < T(1.0);
        const Triple<T> force = factor * trial;
        const T held = select(slides, cut_factor(dot(spring, spring), limit), T(1.0));
        const T kept = select(closed, held, T(0.0));
        const Triple<T> next = kept * spring;
        // Sticking: the dashpot's work uses the mean velocity of the step. Sliding: the difference
        // between the limited force and the spring's force counts with its value at the end of the
        // step, to first order.
        const Triple<T> cut = force - next;
        const T sticks = select(slides, T(0.0), T(1.0));
        const Triple<T> beside = sticks * damping * slide.mean + (T(1.0) - sticks) * cut;
        const T work = dot(T(0.5) * (before.vector + next) + beside, slide.slip);
        return {force, {next, T(0.0)}, work};
    }

    T tangential_stiffness(T overlap) const { return select(overlap > T(0.0), stiffness, T(0.0)); }

    T tangential_damping(T /*overlap*/) const { return damping; }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        return T(0.5) * dot(memory.vector, memory.vector) / stiffness;
    }
};

}  // namespace beadwave::laws
