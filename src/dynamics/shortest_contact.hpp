// How long contacts last and how fast they vibrate and are damped: what a time step is chosen from.
#pragma once

#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/laws/any_law.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>

namespace beadwave::dynamics {

struct Shortest {
    double duration = std::numeric_limits<double>::infinity();  ///< [s]
    double damped = std::numeric_limits<double>::infinity();    ///< shortest damping time m/c [s]
    /// The same of contacts whose force jumps to its damping when they close: what is missed of the
    /// step in which one closes is missed of the largest force [s].
    double jumping = std::numeric_limits<double>::infinity();
    double rising = std::numeric_limits<double>::infinity();  ///< shortest rise_time() [s]
    double stable = std::numeric_limits<double>::infinity();  ///< longest stable step [s]

    // A bead squeezed from both sides vibrates sqrt(2) times faster than a pair, where Verlet needs
    // omega dt < 2, and is damped twice as fast, where the predicted velocity needs (c/m) dt < 1.

    /// 1 / omega of a pair [s].
    void vibrates(double time) { stable = std::min(stable, std::numbers::sqrt2 * time); }
    /// m / c of a pair [s].
    void damps(double time) {
        damped = std::min(damped, time);
        stable = std::min(stable, 0.5 * time);
    }
};

/// Largest slope of the force at an overlap [m], on the loading or the unloading path [N/m].
double stiffness_at(const laws::AnyLaw& law, double overlap);

/// Largest damping coefficient dF/d(delta_dot) [N s/m] of a contact compressed to `overlap` that
/// closed as slowly as can be: the mean up to `speed`; where damping is steeper at higher speeds,
/// its slope at twice that, with which a bead that rebounds meets the next.
double damping_at(const laws::AnyLaw& law, double overlap, double speed);

/// Damping at an overlap [m], of a contact that closed as slowly as can be; mass [kg], speed [m/s].
void note_damping(Shortest& shortest, const laws::AnyLaw& law, double mass, double overlap,
                  double speed);

/// How a contact of effective mass `mass` [kg] meets `speed` [m/s] > 0; returns its largest overlap
/// [m].
double note_collision(Shortest& shortest, const laws::AnyLaw& law, double mass, double speed);

/// The longest step [s] up to `longest` that divides the sampling interval, so that samples fall on
/// steps.
double fitted_step(double longest, double interval);

/// Throws StepError where a step number no longer fits a double.
std::int64_t steps_to(double end, double step);

}  // namespace beadwave::dynamics
