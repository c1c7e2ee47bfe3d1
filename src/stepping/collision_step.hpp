// The longest time step with which collisions come out right.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/collision.hpp"

namespace beadwave::stepping {

struct CollisionAccuracy {
    double error;     ///< most of the mean error; the scatter may be ten times as large [-]
    double longest;   ///< step to begin with [s]
    double shortest;  ///< step below which nothing is tried [s]
};

/// The longest step from `shortest` to `longest` whose collisions are that accurate, within 15 %.
/// They are integrated by the steps of the engines: velocity Verlet whose force sees the predicted
/// velocity. mass [kg], speed [m/s] > 0; `exact` are the times of this collision.
double collision_step(const laws::AnyLaw& law, double mass, double speed,
                      const laws::ContactTimes& exact, const CollisionAccuracy& accuracy);

}  // namespace beadwave::stepping
