// The stepper as the rest of the program sees it. Observers read through it; no law type shows
// here.
//
// Velocity Verlet in displacement form. One step of dt from (u, v, a, memory):
//
//     v_half = v + (dt/2) a
//     u'     = u + dt v_half
//     F'     = law(overlap(u'), approach speed of v_half + (dt/2) a, memory)
//     a'     = F' / m + g
//     v'     = v_half + (dt/2) a'
//
// computed with the gain (dt/2) a = (F' + m g) dt/(2 m) in place of a.
//
// The force sees the predicted full-step velocity, so damped laws stay second order. Each bead
// gathers its own two forces and sums run in a fixed order: the bits do not depend on threads.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::dynamics {

/// Force and velocity of chosen beads at every step of one advance(): rows of beads.size() numbers.
struct SensorTrace {
    std::vector<std::size_t> beads;
    std::vector<double> force;     ///< mean of the contact forces on the bead's two sides [N]
    std::vector<double> velocity;  ///< [m/s]

    void resize_rows(std::size_t rows) {
        force.resize(rows * beads.size());
        velocity.resize(rows * beads.size());
    }
};

/// Sums over all beads and contacts, in a fixed order [J, kg m/s].
struct Totals {
    double kinetic;
    double stored;         ///< recoverable, of all contacts
    double dissipated;     ///< work of all contacts minus what they store, since the start
    double external_work;  ///< by gravity, loads and driven walls, since the start
    double momentum;
    double discarded;  ///< kinetic, of beads put to rest by a sleep speed, since the start
    double discarded_momentum;
    double largest_contact_force;  ///< of all contacts, in size [N]
};

/// The fastest that beads were seen to vibrate and to be damped, by the slopes of their contacts'
/// laws: over a bead's mass the sum of both contacts' stiffness, as a frequency, and of their
/// damping.
struct Rates {
    double frequency = 0.0;  ///< [rad/s]
    double damping = 0.0;    ///< [1/s]
    std::size_t frequency_bead = 0, damping_bead = 0;

    /// The larger of both, each with its bead.
    void keep_larger(const Rates& other) {
        if (other.frequency > frequency) {
            frequency = other.frequency;
            frequency_bead = other.frequency_bead;
        }
        if (other.damping > damping) {
            damping = other.damping;
            damping_bead = other.damping_bead;
        }
    }
};

/// A named column of an engine's state, in place: the numbers [first, first + values.size()) of a
/// column of `total`. The parts that the ranks of a chain hold make up the whole; where two hold
/// the same numbers, these are equal.
struct StateColumn {
    std::string name;
    std::span<double> values;
    std::size_t first = 0;
    std::size_t total = values.size();
};

/// Where several processes share the chain, each has an engine for its part, and all call the same
/// functions in the same order, but for displacement() to contact_force(), which speak of its own
/// beads. All else is of the whole chain.
class Engine {
  public:
    virtual ~Engine() = default;

    /// Advances by `steps` steps. The trace's rows are resized to `steps`; row k is the state after
    /// step k + 1 of this call. The trace of rank 0 is whole; others' has what their beads show.
    virtual void advance(std::int64_t steps, SensorTrace& trace) = 0;

    /// The trace's one row for the state as it is now.
    virtual void sample(SensorTrace& trace) const = 0;

    virtual std::int64_t step() const = 0;                     ///< steps done
    virtual std::size_t first_bead() const { return 0; }       ///< number of the first own one
    virtual std::span<const double> displacement() const = 0;  ///< per bead [m], from the start
    virtual std::span<const double> velocity() const = 0;      ///< per bead [m/s]
    /// Per contact [N]: that to the left of each bead, and behind the chain's last bead one more.
    virtual std::span<const double> contact_force() const = 0;
    virtual Totals totals() const = 0;

    virtual int threads() const = 0;  ///< in use

    /// The first bead whose state, or that of the contact to its left, is not finite, or has a
    /// parameter that is no number, if any.
    virtual std::optional<std::size_t> first_non_finite() const = 0;

    /// The one of a bead's two contacts whose force is not finite either; the left one if neither
    /// or both are.
    virtual std::size_t contact_beside(std::size_t bead) const {
        const std::span<const double> force = contact_force();
        return std::isfinite(force[bead]) && !std::isfinite(force[bead + 1]) ? bead + 1 : bead;
    }

    /// From now on looks at the slopes of all contacts every few hundred steps; `speed` [m/s] as in
    /// laws::slopes. Changes no result.
    virtual void watch_rates(double speed) = 0;
    virtual Rates rates() const = 0;  ///< the largest since then

    /// With step(), all that the next steps and totals() depend on. A checkpoint stores these
    /// numbers; a run goes on from one by writing them over those of a fresh engine of the same
    /// chain, time step and kind, whatever its threads, and calling continue_at(). The spans hold
    /// until the next call of a function that is not const.
    virtual std::vector<StateColumn> state() = 0;

    /// Takes up what was written into the columns of state(), as the state after `step` steps.
    virtual void continue_at(std::int64_t step) = 0;
};

/// The plain engine: each step a loop over beads, one over contacts, one over beads. time_step [s].
std::unique_ptr<Engine> make_plain_engine(const chain::Chain& chain, double time_step);

}  // namespace beadwave::dynamics
