// One collision of two bodies under any law, integrated to near rounding.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/line_law.hpp"

#include <functional>

namespace beadwave::laws {

struct Collision {
    double restitution;        ///< rebound speed / impact speed [-]
    double rebound_speed;      ///< [m/s], positive = separating
    double max_force;          ///< [N]
    double max_overlap;        ///< [m]
    double residual_overlap;   ///< overlap when the contact ended [m]
    double duration;           ///< from closing to the end of contact [s]
    double compression_time;   ///< from closing to the largest overlap [s]
    double dissipated_energy;  ///< loss of kinetic energy [J]
};

/// A moment of the collision: time [s], overlap [m], approach speed [m/s], force [N].
struct CollisionMoment {
    double time, overlap, approach_speed, force;
};

/// Integrates m d(delta_dot)/dt = -F from zero overlap at `speed` [m/s] > 0 with effective mass m
/// [kg], by an adaptive fifth-order Runge-Kutta method, until the contact ends: at zero force, or
/// at zero overlap for a law that ends in tension. The turning point is located and committed to
/// the law's memory exactly. `watch`, if given, is called for every accepted step. Throws
/// std::runtime_error if the bodies do not separate.
Collision collide(const AnyLaw& law, double mass, double speed,
                  const std::function<void(const CollisionMoment&)>& watch = {});

/// An overlap below `largest` at which the static force, force(overlap) [N], would stop the bodies
/// of a collision with this energy [J], within a factor of a few [m].
template <class Force>
double stopping_overlap(const Force& force, double energy, double largest = 2.0) {
    double overlap = 1e-18;
    while (2.0 * overlap < largest && force(overlap) * overlap < energy)
        overlap *= 2.0;
    return overlap;
}

struct ContactTimes {
    double max_overlap;       ///< [m]
    double duration;          ///< from closing to the end of contact [s]
    double compression_time;  ///< from closing to the largest overlap [s]
    double restitution;       ///< rebound speed / impact speed [-]
};

/// How deep and how long: the same numbers as those of collide(), several times faster, because it
/// does not search the largest force.
ContactTimes contact_times(const AnyLaw& law, double mass, double speed);

/// collide() for a line contact. Throws ArgumentError if the overlap reaches the end of the law.
Collision collide(const LineLaw& law, double mass, double speed,
                  const std::function<void(const CollisionMoment&)>& watch = {});

}  // namespace beadwave::laws
