// Rigid ellipsoids and superellipsoids that move.
#pragma once

#include "shapes/plane_contact.hpp"
#include "shapes/rigid_motion.hpp"
#include "shapes/superellipsoid_contact.hpp"

#include <variant>

namespace beadwave::shapes {

struct Body {
    Superellipsoid shape;
    double mass;        ///< [kg]
    Vector moments;     ///< principal, in the axes of the shape [kg m^2]
    Vector velocity{};  ///< of the centre [m/s]
    Vector momentum{};  ///< angular momentum in the body's axes [kg m^2/s]
};

/// A solid body at rest, with this density [kg/m^3].
Body solid(const Ellipsoid&, double density);
Body solid(const Superellipsoid&, double density);

/// Angular velocity in the body's axes and in space [rad/s].
Vector body_spin(const Body&);
Vector spin(const Body&);
/// Gives the body this angular velocity in space [rad/s].
void set_spin(Body&, const Vector& spin);

/// Velocity of the material point at `arm` [m] from the centre [m/s].
Vector velocity_at(const Body&, const Vector& arm);

double translational_energy(const Body&);  ///< [J]
double rotational_energy(const Body&);     ///< [J]

/// Moves and turns freely for `time` [s], to rounding: turn_freely() in Yoshida's composition of
/// sixth order [H. Yoshida, Phys. Lett. A 150 (1990) 262, solution A] with at most 0.02 rad a step.
void fly(Body&, double time);

/// What meets: a body, and another one or a wall that does not move.
struct Pair {
    Body first;
    std::variant<Body, HalfSpace> second;

    Body* other() { return std::get_if<Body>(&second); }
    const Body* other() const { return std::get_if<Body>(&second); }
};

/// Where they touch, or are closest.
struct Gap {
    Vector normal;    ///< unit, from the first to the second
    double overlap;   ///< [m]; below 0: apart
    Vector arm_1;     ///< from the centre of the first to its deepest point [m]
    Vector arm_2;     ///< from the centre of the second to its deepest point [m]; zero for a wall
    double approach;  ///< rate of the overlap [m/s]
};

/// `guess`: a normal near the right one, or zero. Throws as common_points() does.
Gap gap_between(const Pair&, const Vector& guess = {0.0, 0.0, 0.0});

/// Mass of an impact without friction [kg]: 1/m = the sum over both of 1/m_i + (r x n).I^-1 (r x
/// n).
double impact_mass(const Pair&, const Gap&);

}  // namespace beadwave::shapes
