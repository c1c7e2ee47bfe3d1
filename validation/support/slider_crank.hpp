// The slider-crank of the standard example: the pin between rod and slider has clearance in its
// bearing.
//
// Ravn, Multibody Syst. Dyn. 2 (1998) 1-24; Flores, Nonlinear Dyn. 61 (2010) 633-653. Crank 0.05 m
// at 5000 rpm, rod 0.12 m, bearing radius 10 mm; the line of the slider passes through the
// centre of the crank. At the start the crank lies on this line and the pin is centred.
#pragma once

#include "mechanism/simulate.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation {

struct SliderCrank {
    double crank = 0.05, rod = 0.12;                    // [m]
    double rod_mass = 0.21, rod_inertia = 2.5e-4;       // [kg], [kg m^2]
    double slider_mass = 0.14;                          // [kg]
    double speed = 5000.0 * std::numbers::pi / 30.0;    // [rad/s]
    double bearing_radius = 0.010, clearance = 0.5e-3;  // [m]
    laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 600e6};
    laws::Settings law;
    double end = 0.024, accuracy = 1e-8;

    double rod_angular_velocity() const { return -speed * crank / rod; }

    mechanism::Mechanism mechanism() const {
        mechanism::Mechanism made;
        const double pin_at = crank + rod;
        made.bodies = {
            {.name = "crank", .mass = 0.3, .inertia = 1e-4, .centre = {0.5 * crank, 0.0}},
            {.name = "rod",
             .mass = rod_mass,
             .inertia = rod_inertia,
             .centre = {crank + 0.5 * rod, 0.0},
             .velocity = mechanism::Vector{0.0, 0.5 * speed * crank},
             .angular_velocity = rod_angular_velocity()},
            {.name = "slider",
             .mass = slider_mass,
             .inertia = 1e-4,
             .centre = {pin_at, 0.0},
             .velocity = mechanism::Vector{0.0, 0.0}}};
        made.joints = {
            {.kind = mechanism::JointKind::revolute,
             .bodies = {mechanism::ground, 0},
             .point = {0.0, 0.0},
             .motor = mechanism::Motor{.times = {0.0}, .speeds = {speed}}},
            {.kind = mechanism::JointKind::revolute, .bodies = {0, 1}, .point = {crank, 0.0}},
            {.kind = mechanism::JointKind::slider,
             .bodies = {mechanism::ground, 2},
             .axis = {1.0, 0.0}}};
        made.contacts = {{.name = "pin",
                          .bodies = {1, 2},
                          .geometry = mechanism::Journal{.point = {pin_at, 0.0},
                                                         .bearing_radius = bearing_radius,
                                                         .clearance = clearance},
                          .materials = mechanism::Materials{{steel, steel}},
                          .law = law}};
        made.end = end;
        made.accuracy = accuracy;
        return made;
    }

    /// The position of the slider if the joint had no clearance [m].
    double ideal_place(double time) const {
        const double angle = speed * time, s = crank * std::sin(angle);
        return crank * std::cos(angle) + std::sqrt(rod * rod - s * s);
    }
};

}  // namespace beadwave::validation
