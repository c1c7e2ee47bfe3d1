// The inertia of a rigid body about its centre of mass.
#pragma once

#include "shapes/quaternion.hpp"

namespace beadwave::shapes {

struct Inertia {
    Vector moments{};   ///< principal [kg m^2]
    Quaternion axes{};  ///< from the principal axes to space

    /// The angular momentum of an angular velocity, both in space.
    Vector momentum(const Vector& spin) const {
        const Vector w = to_body(axes, spin);
        return to_space(axes, {moments.x * w.x, moments.y * w.y, moments.z * w.z});
    }
    /// The angular velocity of an angular momentum, both in space; likewise the angular
    /// acceleration by a torque.
    Vector spin(const Vector& momentum) const {
        const Vector l = to_body(axes, momentum);
        return to_space(axes, {l.x / moments.x, l.y / moments.y, l.z / moments.z});
    }
    /// Kinetic energy of this angular velocity [J].
    double energy(const Vector& spin) const { return 0.5 * dot(spin, momentum(spin)); }
};

}  // namespace beadwave::shapes
