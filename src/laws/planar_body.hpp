// Rigid bodies in the plane that meet at one point, for impacts. The tangent is the x axis; the
// normal is the y axis and points from the second body to the first.
#pragma once

#include "laws/rigid_impact.hpp"

#include <array>

namespace beadwave::laws {

struct PlanarBody {
    double mass = 0.0;                ///< [kg]; infinite: it does not move
    double inertia = 0.0;             ///< about the centre of mass [kg m^2]; infinite likewise
    std::array<double, 2> contact{};  ///< from the centre of mass to the contact point [m]
    double angular_velocity = 0.0;    ///< before the impact, anticlockwise [rad/s]
};

/// Inverse masses of the two bodies at their contact: 1/m + y^2/I along the tangent, 1/m + x^2/I
/// along the normal and -x y/I between them, summed over both.
RigidContact rigid_contact(const PlanarBody& first, const PlanarBody& second, double friction);

/// The change of a body's motion by an impact.
struct MotionChange {
    std::array<double, 2> velocity{};  ///< of the centre of mass [m/s]
    double angular_velocity = 0.0;     ///< [rad/s]
};

/// The change of a body under this impulse at its contact point [N s].
MotionChange motion_change(const PlanarBody&, const std::array<double, 2>& impulse);

/// Restitution after K. R. Hedrih (CorralReview Eq. 2.4), for two balls that roll on one track:
/// their relative angular velocity after the impact over that before it, with the sign reversed.
/// NaN if they turn alike before it.
double hedrih_restitution(const PlanarBody& first, const PlanarBody& second, const RigidImpact&);

}  // namespace beadwave::laws
