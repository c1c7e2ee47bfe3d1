// How long contacts last and how fast they vibrate and are damped; the time step is chosen from
// this.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace beadwave::stepping {

struct Shortest {
    double duration = std::numeric_limits<double>::infinity();  ///< [s]
    double damped = std::numeric_limits<double>::infinity();    ///< shortest damping time m/c [s]
    /// Shortest m/c of contacts whose force jumps to the damping force when they close. The run
    /// misses a part of the step in which one closes, and the same part of the largest force [s].
    double jumping = std::numeric_limits<double>::infinity();
    double rising = std::numeric_limits<double>::infinity();  ///< shortest rise_time() [s]
    double stable = std::numeric_limits<double>::infinity();  ///< longest stable step [s]

    // A bead squeezed from both sides vibrates sqrt(2) times faster than a pair, and Verlet needs
    // omega dt < 2. It is damped twice as fast, and the predicted velocity needs (c/m) dt < 1.

    /// Includes a vibration: 1 / omega of a pair [s].
    void vibrates(double time) { stable = std::min(stable, std::numbers::sqrt2 * time); }
    /// Includes a damping: m / c of a pair [s].
    void damps(double time) {
        damped = std::min(damped, time);
        stable = std::min(stable, 0.5 * time);
    }

    /// Includes springs that pull a body beside its contacts: squares of frequencies [1/s^2], of
    /// its vibration and the largest one that may add to that of contacts.
    void pulls(double square, double largest_square) {
        if (!(square > 0.0)) return;
        duration = std::min(duration, std::numbers::pi / std::sqrt(square));
        stable = 2.0 / std::sqrt(4.0 / (stable * stable) + largest_square);
    }
    /// Includes a drag beside the contacts: c / m [1/s].
    void drags(double rate) {
        if (!(rate > 0.0)) return;
        damped = std::min(damped, 1.0 / rate);
        stable = std::min(stable, 1.0 / rate);
    }
};

/// The overlap [m] from which on a contact gets no deeper by its own adhesion: `overlap`, or more
/// if the law pulls the bodies deeper than that.
double deepest_overlap(const laws::AnyLaw& law, double overlap);

/// Largest slope of the force at an overlap [m], on the loading or the unloading path [N/m].
double stiffness_at(const laws::AnyLaw& law, double overlap);

/// Largest damping coefficient dF/d(delta_dot) [N s/m] of a contact that closed with zero speed and
/// is compressed to `overlap`: the mean up to `speed`. Where damping is steeper at higher speeds,
/// it is the slope at twice that speed, because a rebounding bead meets the next one with it.
double damping_at(const laws::AnyLaw& law, double overlap, double speed);

/// Includes the damping at an overlap [m] of a contact that closed with zero speed; mass [kg],
/// speed [m/s].
void include_damping(Shortest& shortest, const laws::AnyLaw& law, double mass, double overlap,
                     double speed);

struct IncludedCollision {
    double overlap;                            ///< largest [m]
    std::optional<laws::ContactTimes> parted;  ///< none where the bodies stay in contact
};

/// Includes the collision of a contact of effective mass `mass` [kg] at `speed` [m/s] > 0.
IncludedCollision include_collision(Shortest& shortest, const laws::AnyLaw& law, double mass,
                                    double speed);

}  // namespace beadwave::stepping
