// The rotation of a rigid body.
#pragma once

#include "shapes/ellipsoid.hpp"
#include "shapes/quaternion.hpp"

namespace beadwave::shapes {

/// Volume of a solid ellipsoid [m^3]: 4/3 pi a b c.
double volume(const Ellipsoid&);

/// Principal moments of a solid ellipsoid of this mass [kg], in its axes [kg m^2]: m (b^2 + c^2)/5.
Vector moments(const Ellipsoid&, double mass);

struct Rotation {
    Quaternion orientation;
    Vector momentum;  ///< angular momentum in the axes of the body [kg m^2/s]
};

/// Turns a free body with these principal moments [kg m^2] for `step` [s]: the symmetric splitting
/// of L^2/2I into its three axes, about each of which the body turns exactly by L_i/I_i times the
/// step [B. Leimkuhler, S. Reich, Simulating Hamiltonian Dynamics, 2004, section 8.4]. Of second
/// order: orientations are wrong by about (angle per step)^2/12 of the angle turned. The angular
/// momentum in space and the quaternion's length are kept to rounding, and the energy without
/// drift, within (angle per step)^2 of itself.
void turn_freely(Rotation&, const Vector& moments, double step);

}  // namespace beadwave::shapes
