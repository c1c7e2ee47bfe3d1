// The linear slider (linear_slider.hpp) with two coefficients of friction. A contact that sticks
// holds up to mu_s F_n, spring and dashpot together. Beyond that it slides, with |f| = mu F_n,
// until the sum of spring and dashpot is within mu F_n again: then it sticks, and mu_s holds again.
// Sliding cuts the spring to mu F_n. mu is that of the slip speed (sliding_coefficient.hpp); where
// it is larger than mu_s, by its viscous part, a contact that sticks holds up to it, too.
#pragma once

#include "laws/tangential/slider.hpp"
#include "laws/tangential/sliding_coefficient.hpp"

namespace beadwave::laws {

template <class T>
struct StickSlipLinear : SlidingCoefficient<T> {
    template <class U>
    using Rebind = StickSlipLinear<U>;
    static constexpr bool needs_velocity = true;

    T stiffness;  ///< k [N/m]
    T damping;    ///< c [N s/m]

    static constexpr auto fields() {
        return std::make_tuple(&StickSlipLinear::stiffness, &StickSlipLinear::damping,
                               &StickSlipLinear::coefficient, &StickSlipLinear::static_coefficient,
                               &StickSlipLinear::stribeck, &StickSlipLinear::exponent,
                               &StickSlipLinear::viscous);
    }

    /// Memory: the force of the spring without the dashpot [N]; -1 while the contact slides,
    /// otherwise 0.
    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const auto closed = slide.overlap > T(0.0);
        const Triple<T> spring = before.vector + stiffness * slide.slip;
        const Triple<T> trial = spring + damping * slide.velocity;
        const T squared = dot(trial, trial);
        const T normal_force = max(slide.normal_force, T(0.0));
        const T limit = this->at_velocity(slide.velocity) * normal_force;
        const T holds = select(before.number < T(0.0), limit,
                               max(this->static_coefficient * normal_force, limit));
        const auto slides = squared > holds * holds;
        const T factor = select(slides, cut_factor(squared, limit), T(1.0));
        const Triple<T> force = select(closed, factor, T(0.0)) * trial;
        const T held = select(slides, cut_factor(dot(spring, spring), limit), T(1.0));
        const Triple<T> next = select(closed, held, T(0.0)) * spring;
        // As of the linear slider.
        const T sticks = select(slides, T(0.0), T(1.0));
        const Triple<T> beside = sticks * damping * slide.mean + (T(1.0) - sticks) * (force - next);
        const T work = dot(T(0.5) * (before.vector + next) + beside, slide.slip);
        const T sliding = select(slides, T(-1.0), T(0.0));
        return {force, {next, select(closed, sliding, T(0.0))}, work};
    }

    T tangential_stiffness(T overlap) const { return select(overlap > T(0.0), stiffness, T(0.0)); }
    T tangential_damping(T /*overlap*/) const { return damping; }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        return T(0.5) * dot(memory.vector, memory.vector) / stiffness;
    }
};

}  // namespace beadwave::laws
