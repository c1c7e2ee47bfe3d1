// Mindlin's contact without micro-slip; the whole force is limited by Coulomb's law.
//
//     k = 8 G* a,   a = sqrt(R delta),   1/G* = (2 - nu_1)/G_1 + (2 - nu_2)/G_2      [Mindlin 1949]
//
// By increments (`Mindlin`): the force grows by k times the slip of the step. When the contact
// radius shrinks, the force shrinks with it, because the area that separates carries no force
// [Thornton and Randall 1988]. Stored energy: f^2 / (2 k). A change of the overlap alone cannot
// increase it.
//
// By displacement (`MindlinDisplacement`): f = k s, where s is the whole slip since the contact
// closed, reduced while the contact slides, like LAMMPS's gran/hertz/history. Compressing a sheared
// contact raises k s^2 / 2 without work, so cycles of pressing and shearing can create energy:
// sheared by s at delta_1, pressed to delta_2 and sheared back, the contact gives
// (8 G* s^2 / 2) sqrt(R) (sqrt(delta_2) - sqrt(delta_1)). The energy ledger shows it as negative
// dissipation.
#pragma once

#include "laws/tangential/slider.hpp"

namespace beadwave::laws {

template <class T>
struct Mindlin {
    template <class U>
    using Rebind = Mindlin<U>;
    static constexpr bool needs_velocity = false;

    T stiffness;    ///< 8 G* sqrt(R) [N/m^1.5]
    T coefficient;  ///< mu [-]

    static constexpr auto fields() {
        return std::make_tuple(&Mindlin::stiffness, &Mindlin::coefficient);
    }

    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const T k = tangential_stiffness(slide.overlap);
        const T kept =
            select(k < before.number,
                   ratio(k, select(before.number > T(0.0), before.number, T(1.0))), T(1.0));
        const Triple<T> trial =
            plus(before.vector * kept, T(0.5) * (k + before.number), slide.slip);
        const T factor =
            cut_factor(dot(trial, trial), coefficient * max(slide.normal_force, T(0.0)));
        const Triple<T> force = trial * factor;
        return {force, {force, k}, T(0.5) * dot(before.vector + force, slide.slip)};
    }

    T tangential_stiffness(T overlap) const { return stiffness * root(max(overlap, T(0.0))); }
    T tangential_damping(T /*overlap*/) const { return T(0.0); }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        const T k = memory.number;
        return select(k > T(0.0),
                      T(0.5) * dot(memory.vector, memory.vector) / select(k > T(0.0), k, T(1.0)),
                      T(0.0));
    }
};

template <class T>
struct MindlinDisplacement {
    template <class U>
    using Rebind = MindlinDisplacement<U>;
    static constexpr bool needs_velocity = false;

    T stiffness;    ///< 8 G* sqrt(R) [N/m^1.5]
    T coefficient;  ///< mu [-]

    static constexpr auto fields() {
        return std::make_tuple(&MindlinDisplacement::stiffness, &MindlinDisplacement::coefficient);
    }

    /// Memory: the slip of the spring [m], and the stiffness at the end of the step [N/m].
    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const T k = tangential_stiffness(slide.overlap);
        const Triple<T> trial = before.vector + slide.slip;
        const T factor =
            cut_factor(k * k * dot(trial, trial), coefficient * max(slide.normal_force, T(0.0)));
        const Triple<T> spring = select(k > T(0.0), factor, T(0.0)) * trial;
        const Triple<T> force = k * spring;
        const Triple<T> force_before = before.number * before.vector;
        return {force, {spring, k}, T(0.5) * dot(force_before + force, slide.slip)};
    }

    T tangential_stiffness(T overlap) const { return stiffness * root(max(overlap, T(0.0))); }
    T tangential_damping(T /*overlap*/) const { return T(0.0); }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        return T(0.5) * memory.number * dot(memory.vector, memory.vector);
    }
};

}  // namespace beadwave::laws
