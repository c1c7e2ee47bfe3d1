// The time step: chosen from the fastest that the chain's contacts can be known to vibrate and to
// be damped, or checked against it. What a run then meets is watched: see limits below and
// Engine::rates.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace beadwave::dynamics {

/// Steps that an automatic time step gives the shortest contact.
inline constexpr double steps_per_contact = 1250.0;

/// Steps that an automatic time step gives the shortest time m/c in which damping stops a bead.
inline constexpr double steps_per_damping_time = 20.0;
/// The same where the force jumps when a contact closes: half of 1/200 of the jump is missed.
inline constexpr double steps_per_jump = 200.0;
/// The same of the rise of a force that sets in within a small part of the overlap.
inline constexpr double steps_per_rise = 50.0;

/// Steps that an automatic time step gives a period of a driven end, and the fewest that a given
/// one may.
inline constexpr double steps_per_period = 200.0;
inline constexpr double fewest_steps_per_period = 20.0;

/// Fewer steps than this in a contact are reported: the results are rough.
inline constexpr double few_steps_per_contact = 50.0;

// Limits of time step times a bead's rate (Engine::rates), by what a run with it is worth. A
// contact of 1250 steps reaches frequency 0.0033.

/// Of a step that resolves: below, the error of a vibration is some 1e-4, and of a law whose force
/// jumps at closing some percent.
inline constexpr double good_frequency = 0.03, good_damping = 0.1;
/// Of a step that a run begins again with.
inline constexpr double fine_frequency = 0.006, fine_damping = 0.03;
/// Beyond which a given step is said to be rough.
inline constexpr double rough_frequency = 0.1, rough_damping = 0.2;
/// Beyond which velocity Verlet cannot be stable: of one bead between neighbours that do not move.
inline constexpr double unstable_frequency = 2.0, unstable_damping = 1.0;

/// What the choice depends on beside the chain.
struct StepRequest {
    double end;                    ///< of the run [s]
    std::optional<double> step{};  ///< given [s]
    double interval;               ///< that a chosen step divides [s]
    bool settled = false;          ///< starts in equilibrium under gravity
};

struct TimeStep {
    double step;              ///< [s]
    std::int64_t count;       ///< steps to the end of the run
    double shortest_contact;  ///< [s]; 0 if nothing ever touches
    double largest_speed;     ///< upper estimate of an approach speed [m/s]
    bool given = false;       ///< by a person, not chosen
};

/// A step that cannot be used or chosen; the message goes on after the name of the step.
struct StepError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// The shortest contact: of all kinds of contact, colliding at the largest speed that the initial
/// motion, driven ends, gaps under gravity and stored energy can produce, or, for contacts that
/// start compressed, half a period of their small vibration. Throws StepError for a step that
/// cannot be stable or does not resolve a driven end, or that cannot be chosen because nothing
/// moves.
TimeStep choose_time_step(const chain::Chain& chain, const StepRequest& request);

/// The same with a shorter step: one that fits, at most as long as `longest` [s]. Throws StepError
/// if it needs too many steps.
TimeStep shortened(const TimeStep& step, double longest, const StepRequest& request);

/// The same with exactly this step [s], of an earlier shortened().
TimeStep with_step(const TimeStep& step, double exactly, const StepRequest& request);

}  // namespace beadwave::dynamics
