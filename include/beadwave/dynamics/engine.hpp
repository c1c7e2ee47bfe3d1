// The stepper as the rest of the program sees it. Observers read the state through it. No type of
// contact law appears here.
//
// Velocity Verlet in displacement form. One step of dt from (u, v, a, memory):
//
//     v_half = v + (dt/2) a
//     u'     = u + dt v_half
//     F'     = law(overlap(u'), approach speed of v_half + (dt/2) a, memory)
//     a'     = F' / m + g
//     v'     = v_half + (dt/2) a'
//
// The engines store the half-step velocity change (dt/2) a = (F' + m g) dt/(2 m) in place of a.
//
// The law gets the predicted full-step velocity, so damped laws stay second order. Each bead
// gathers its own two forces, and sums run in a fixed order: the bits do not depend on threads.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/stepping/external_force.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::dynamics {

/// Force and velocity of chosen beads at every step of one advance(), in rows of beads.size()
/// numbers.
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
    double stored;      ///< recoverable, in all contacts and springs
    double dissipated;  ///< work of all contacts and springs minus what they store, since the start
    double broken_energy;  ///< the part of `dissipated` that bonds had stored when they broke
    double external_work;  ///< by gravity, loads and driven walls, since the start
    double momentum;
    double sleep_loss_energy;  ///< kinetic, of beads put to sleep by a sleep speed, since the start
    double sleep_loss_momentum;
    double largest_contact_force;  ///< of all contacts, in size [N]
};

/// What limits a stable time step: the fastest vibration and the fastest damping of a bead so far.
/// Both follow from the slopes of the laws of a bead's two contacts: the sum of their stiffnesses
/// over the mass, as an angular frequency, and the sum of their damping coefficients over the mass.
struct StabilityLimits {
    double frequency = 0.0;  ///< [rad/s]
    double damping = 0.0;    ///< [1/s]
    std::size_t frequency_bead = 0, damping_bead = 0;

    /// Keeps the larger of each pair, with its bead.
    void keep_larger(const StabilityLimits& other) {
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
/// column of `total` numbers. The parts on all ranks make up the whole column. Where two ranks hold
/// the same numbers, these are equal.
struct StateColumn {
    std::string name;
    std::span<double> values;
    std::size_t first = 0;
    std::size_t total = values.size();
};

/// Where several processes share the chain, each has an engine for its own part. All processes call
/// the same functions in the same order. The exceptions are displacement(), velocity() and
/// contact_force(): they give the process's own beads only. All other functions refer to the whole
/// chain.
class Engine {
  public:
    virtual ~Engine() = default;

    /// Advances by `steps` steps. The trace's rows are resized to `steps`; row k is the state after
    /// step k + 1 of this call. The trace of rank 0 is complete; on other ranks it holds the values
    /// of their own beads.
    virtual void advance(std::int64_t steps, SensorTrace& trace) = 0;

    /// One row of the trace, for the present state.
    virtual void sample(SensorTrace& trace) const = 0;

    /// Half a step of external forces: before an advance(1) those at the present step, as the first
    /// half, and after it those at the new step, as the second half (external_force.hpp). Beads
    /// held fixed do not move. totals() does not count their work. Only if this process holds the
    /// whole chain.
    virtual void kick(std::span<const stepping::BodyForce<double>> forces,
                      stepping::HalfStep half) = 0;

    virtual std::int64_t step() const = 0;                     ///< steps done
    virtual std::size_t first_bead() const { return 0; }       ///< number of the first own bead
    virtual std::span<const double> displacement() const = 0;  ///< per bead [m], from the start
    virtual std::span<const double> velocity() const = 0;      ///< per bead [m/s]
    /// The force per contact [N]: of the contact to the left of each bead, and of the one behind
    /// the chain's last bead.
    virtual std::span<const double> contact_force() const = 0;
    virtual Totals totals() const = 0;
    /// What each contact has dissipated since the start [J], in the order of contact_force(); their
    /// sum and what beads carry make up Totals::dissipated. Empty: the engine does not know it.
    virtual std::vector<double> contact_dissipation() const { return {}; }

    virtual int threads() const = 0;  ///< in use

    /// The first bead, if any, whose state is not finite or one of whose parameters is not a
    /// number; the contact to its left counts as part of it.
    virtual std::optional<std::size_t> first_non_finite() const = 0;

    /// The contact of a bead from first_non_finite() whose force is not finite; the left one if
    /// both or none of its two contacts have finite forces.
    virtual std::size_t contact_beside(std::size_t bead) const {
        const std::span<const double> force = contact_force();
        return std::isfinite(force[bead]) && !std::isfinite(force[bead + 1]) ? bead + 1 : bead;
    }

    /// From now on evaluates the slopes of all contact laws every few hundred steps; `speed` [m/s]
    /// is that of laws::slopes. Does not change the results.
    virtual void monitor_stability(double speed) = 0;
    virtual StabilityLimits stability_limits() const = 0;  ///< since monitor_stability()

    /// Together with step(), everything that the next steps and totals() depend on. A checkpoint
    /// stores these numbers. To continue from a checkpoint, write them into the columns of a new
    /// engine of the same chain, time step and kind (with any number of threads) and call
    /// continue_at(). The spans are valid until the next call of a function that is not const.
    virtual std::vector<StateColumn> state() = 0;

    /// Restores the state from the columns of state() as the state after `step` steps.
    virtual void continue_at(std::int64_t step) = 0;
};

/// The plain engine: each step is a loop over beads, one over contacts, one over beads. time_step
/// [s]. `dissipation`: it also sums what each contact dissipates.
std::unique_ptr<Engine> make_plain_engine(const chain::Chain& chain, double time_step,
                                          bool dissipation = false);

}  // namespace beadwave::dynamics
