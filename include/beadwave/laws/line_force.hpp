// A line contact as a law of chains: what line_law.hpp is for one collision.
//
//     F = F_elastic(delta) (1 + chi delta_dot / delta_dot_0)
//
// with the elastic force of one of the four forms of line_springs.hpp. Where such a form ends, at
// its largest overlap, the force is NaN: a run that comes there fails. Stored: the elastic part.
#pragma once

#include "beadwave/laws/impact_speed.hpp"
#include "beadwave/laws/line_springs.hpp"

namespace beadwave::laws {

/// A LineSpring as numbers: the place of its form in the variant, and its three numbers.
struct LineNumbers {
    double form, a, b, c;
};
LineNumbers numbers_of(const LineSpring&);

/// The elastic force [N] and the stored energy [J] at an overlap [m]; zero at or below zero
/// overlap, NaN from the largest overlap on.
double line_force(double form, double a, double b, double c, double overlap);
double line_energy(double form, double a, double b, double c, double overlap);

template <class T, ImpactSpeed kind>
struct LineForce {
    template <class U>
    using Rebind = LineForce<U, kind>;
    using Memory = ImpactSpeedMemory<T, kind>;
    static constexpr bool conservative = false;

    T form, a, b, c;     ///< LineNumbers
    T damping;           ///< uniform: chi / delta_dot_0 [s/m]; per contact: chi [-]
    T min_impact_speed;  ///< [m/s], per contact only

    static constexpr auto fields() {
        return std::make_tuple(&LineForce::form, &LineForce::a, &LineForce::b, &LineForce::c,
                               &LineForce::damping, &LineForce::min_impact_speed);
    }

    Response<T, Memory> respond(T overlap, T approach_speed, Memory memory) const {
        const auto [speed, next] = memory.scaled(overlap, approach_speed, min_impact_speed);
        const T elastic =
            each_lane([](double of_form, double of_a, double of_b, double of_c,
                         double x) { return line_force(of_form, of_a, of_b, of_c, x); },
                      form, a, b, c, overlap);
        return {max(elastic * (T(1.0) + damping * speed), T(0.0)), next};
    }

    T stored_energy(T overlap, Memory) const {
        return each_lane([](double of_form, double of_a, double of_b, double of_c,
                            double x) { return line_energy(of_form, of_a, of_b, of_c, x); },
                         form, a, b, c, overlap);
    }

    bool ends_in_tension() const { return false; }
};

}  // namespace beadwave::laws
