// The impact of two bodies with friction, from the first touch to separation.
//
// The normal force is that of impact.hpp. Friction acts at a point of the common normal: it divides
// the overlap as the largest reaches of both bodies, and lies on the surface of a wall. Both bodies
// feel it there, so angular momentum is kept.
//
// Tangential laws answer to the slip of a step (laws/tangential/slider.hpp). So the motion is
// stepped as in packings: velocity Verlet with velocities predicted at the end of a step, free
// rotation in between, and a slip from the middle of the step, all of second order. The steps are
// equal, except those in which the contact turns and ends, which end there. Where the direction of
// sliding turns, Coulomb's limit makes the tangential law one of first order. So each step divides
// its slip into parts, as many as the steps are short: twice the steps have four times the parts.
// The number of steps is doubled until the velocities after the impact no longer change.
#pragma once

#include "beadwave/argument_error.hpp"
#include "laws/tangential/any_slider.hpp"
#include "shapes/impact.hpp"

namespace beadwave::shapes {

struct FrictionalImpact {
    Impact normal;              ///< its contact_work has that of friction too
    double slip_speed;          ///< of the points that touch, at closing [m/s]
    double slip_speed_after;    ///< at the end [m/s]
    Vector tangential_impulse;  ///< on the second body, or the wall, in space [N s]
    double max_friction;        ///< the largest tangential force [N]
    double friction_work;       ///< what sliding and the tangential dashpot lost [J]
    /// The largest difference of a velocity after the impact [m/s], or of a spin times the reach of
    /// its body, from that with half as many steps.
    double step_difference;
};

/// Spring or dashpot of the tangential law cannot be followed in steps.
struct FrictionError : ArgumentError {
    using ArgumentError::ArgumentError;
};

/// Moves the pair, which touches and closes, to where its contact ends. Throws as collide() does,
/// and FrictionError.
FrictionalImpact collide(Pair&, const laws::AnyLaw&, const laws::AnySlider&,
                         const std::function<void(const laws::CollisionMoment&)>& watch = {});

}  // namespace beadwave::shapes
