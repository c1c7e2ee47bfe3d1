// Mindlin's two laws (mindlin.hpp) with a dashpot beside the spring and with two coefficients of
// friction.
//
//     f = f_spring + c v_t,   c = constant + scaled sqrt(k),   k = 8 G* sqrt(R delta)
//
// A contact that sticks holds up to mu_s F_n. Beyond that it slides, with |f| = mu F_n in the
// direction of the sum of spring and dashpot, until this sum is within mu F_n again: then it
// sticks, and mu_s holds again. While it slides, the spring is set so that spring and dashpot
// together are the limited force, f_spring = f - c v_t, as in LAMMPS's gran/hertz/history, but
// never backwards: where the dashpot alone is beyond mu F_n, the spring is relaxed. So the force
// does not jump where sliding ends, and where it begins it jumps by (mu_s - mu) F_n alone.
//
// mu is that of the slip speed (sliding_coefficient.hpp); where it is larger than mu_s, by its
// viscous part, a contact that sticks holds up to it, too.
//
// A spring stretched backwards by its dashpot would store energy that nothing gave, without bound
// where bodies begin to touch and k is 0. So the spring stores at most (mu_s F_n)^2 / (2 k), as
// without a dashpot.
//
// Memory: that of Mindlin's laws, with the stiffness negative while the contact slides; where the
// spring is relaxed then, minus the force in place of the stiffness.
#pragma once

#include "laws/tangential/slider.hpp"
#include "laws/tangential/sliding_coefficient.hpp"

namespace beadwave::laws {

/// The part that both laws share: the numbers, and what friction makes of spring and dashpot.
template <class T>
struct StickSlipNumbers : SlidingCoefficient<T> {
    T stiffness;  ///< 8 G* sqrt(R) [N/m^1.5]
    T constant;   ///< [N s/m]
    T scaled;     ///< [kg^0.5]

    T tangential_stiffness(T overlap) const { return stiffness * root(max(overlap, T(0.0))); }
    /// The damping at the stiffness k [N s/m].
    T damping_at(T k) const {
        return select(k > T(0.0), constant + scaled * sqrt(max(k, T(0.0))), T(0.0));
    }
    T tangential_damping(T overlap) const { return damping_at(tangential_stiffness(overlap)); }

    static T magnitude(T x) { return select(x < T(0.0), -x, x); }

    struct Before {
        Triple<T> spring;  ///< its force [N]
        T stiffness;       ///< [N/m]
        T slides, force;   ///< 1, or 0; the force of a contact that slid with a relaxed spring [N]
    };
    /// The state that the memory tells; k is the stiffness now, and with the unit of the memory's
    /// vector [N], or of a displacement, `by_displacement` = 1, or 0.
    Before before(const SliderMemory<T>& memory, const T& k, const T& by_displacement) const {
        const T size = magnitude(memory.number);
        const T slides = select(memory.number < T(0.0), T(1.0), T(0.0));
        // Not the square, which may be too small for a float.
        const T length =
            magnitude(memory.vector.x) + magnitude(memory.vector.y) + magnitude(memory.vector.z);
        const T relaxed = select(length > T(0.0), T(0.0), slides);
        const T k_before = relaxed * k + (T(1.0) - relaxed) * size;
        const T unit = by_displacement * k_before + (T(1.0) - by_displacement);
        return {unit * memory.vector, k_before, slides, relaxed * size};
    }

    struct Now {
        Triple<T> force, spring;
        T number;
    };
    Now limited(const Slide<T>& slide, const Triple<T>& spring, const T& k,
                const Before& before) const {
        const Triple<T> dashpot = damping_at(k) * slide.velocity;
        const Triple<T> trial = spring + dashpot;
        const T squared = dot(trial, trial);
        const T normal_force = max(slide.normal_force, T(0.0));
        const T limit = this->at_velocity(slide.velocity) * normal_force;
        const T holds = select(before.slides > T(0.0), limit,
                               max(this->static_coefficient * normal_force, limit));
        const auto beyond = squared > holds * holds;
        const T slides = select(beyond, T(1.0), T(0.0));
        const T factor = select(beyond, cut_factor(squared, limit), T(1.0));
        const Triple<T> force = trial * factor;
        const Triple<T> rest = force - dashpot;
        const T relaxed = select(dot(rest, force) > T(0.0), T(0.0), slides);
        const Triple<T> next = (T(1.0) - slides) * spring + (slides - relaxed) * rest;
        // Not 0, which would be that of a contact that sticks.
        constexpr double least = 1e-30;
        const T number =
            (T(1.0) - slides) * k - (slides - relaxed) * k - relaxed * max(limit, T(least));
        return {force, next, select(k > T(0.0), number, T(0.0))};
    }

    /// The work from the force before to the force now.
    T work(const Slide<T>& slide, const Before& before, const Triple<T>& force) const {
        // The velocity before is that of the other end of the step.
        const Triple<T> velocity = T(2.0) * slide.mean - slide.velocity;
        const T squared = dot(velocity, velocity);
        const auto moves = squared > T(0.0);
        const T along = select(moves, before.force / sqrt(select(moves, squared, T(1.0))), T(0.0));
        const T dashpot = select(before.force > T(0.0), along, damping_at(before.stiffness));
        return T(0.5) * dot(before.spring + dashpot * velocity + force, slide.slip);
    }
};

template <class T>
struct StickSlipMindlin : StickSlipNumbers<T> {
    template <class U>
    using Rebind = StickSlipMindlin<U>;
    static constexpr bool needs_velocity = true;

    static constexpr auto fields() {
        return std::make_tuple(&StickSlipMindlin::stiffness, &StickSlipMindlin::coefficient,
                               &StickSlipMindlin::static_coefficient, &StickSlipMindlin::constant,
                               &StickSlipMindlin::scaled, &StickSlipMindlin::stribeck,
                               &StickSlipMindlin::exponent, &StickSlipMindlin::viscous);
    }

    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const T k = this->tangential_stiffness(slide.overlap);
        const auto was = this->before(before, k, T(0.0));
        const T kept =
            select(k < was.stiffness,
                   ratio(k, select(was.stiffness > T(0.0), was.stiffness, T(1.0))), T(1.0));
        const Triple<T> spring = plus(was.spring * kept, T(0.5) * (k + was.stiffness), slide.slip);
        const auto now = this->limited(slide, spring, k, was);
        return {now.force, {now.spring, now.number}, this->work(slide, was, now.force)};
    }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        const T k = this->magnitude(memory.number);
        return select(k > T(0.0),
                      T(0.5) * dot(memory.vector, memory.vector) / select(k > T(0.0), k, T(1.0)),
                      T(0.0));
    }
};

template <class T>
struct StickSlipMindlinDisplacement : StickSlipNumbers<T> {
    template <class U>
    using Rebind = StickSlipMindlinDisplacement<U>;
    static constexpr bool needs_velocity = true;

    static constexpr auto fields() {
        using This = StickSlipMindlinDisplacement;
        return std::make_tuple(&This::stiffness, &This::coefficient, &This::static_coefficient,
                               &This::constant, &This::scaled, &This::stribeck, &This::exponent,
                               &This::viscous);
    }

    SliderResponse<T, SliderMemory<T>> respond(const Slide<T>& slide,
                                               const SliderMemory<T>& before) const {
        const T k = this->tangential_stiffness(slide.overlap);
        const auto was = this->before(before, k, T(1.0));
        const auto closed = k > T(0.0);
        const auto now = this->limited(slide, k * (before.vector + slide.slip), k, was);
        const T softness = select(closed, ratio(T(1.0), select(closed, k, T(1.0))), T(0.0));
        return {now.force, {now.spring * softness, now.number}, this->work(slide, was, now.force)};
    }

    T stored_energy(T /*overlap*/, const SliderMemory<T>& memory) const {
        const T k = this->magnitude(memory.number);
        return T(0.5) * k * dot(memory.vector, memory.vector);
    }
};

}  // namespace beadwave::laws
