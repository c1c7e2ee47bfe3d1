// The longest time step with which collisions come out right.
#pragma once

#include "beadwave/laws/any_law.hpp"

namespace beadwave::stepping {

/// The errors of the rebound speed of one collision, relative to its impact speed, over the moments
/// within a step at which the contact may close.
struct CollisionErrors {
    double mean;     ///< what many collisions are wrong by [-]
    double scatter;  ///< root of the mean square of what one is wrong by [-]
};

/// Integrates collisions by the steps of the engines: velocity Verlet whose force sees the
/// predicted velocity. mass [kg], speed [m/s] > 0, step [s]. Throws std::runtime_error if the
/// bodies do not separate.
CollisionErrors collision_errors(const laws::AnyLaw& law, double mass, double speed, double step);

struct CollisionAccuracy {
    double error;     ///< most of the mean error; the scatter may be ten times as large [-]
    double longest;   ///< step to begin with [s]
    double shortest;  ///< step below which nothing is tried [s]
};

/// The longest step from `shortest` to `longest` whose collisions are that accurate, within 15 %.
/// `shortest` for laws with adhesion and where the bodies do not separate: these have no rebound.
double collision_step(const laws::AnyLaw& law, double mass, double speed,
                      const CollisionAccuracy& accuracy);

}  // namespace beadwave::stepping
