// The time step of chains and packings. It is chosen from the fastest vibration and damping that
// the contacts are known to have, or a given step is checked against these. The run then monitors
// what really happens: see the limits below and the stability_limits of the engines.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

namespace beadwave::stepping {

/// Steps of an automatic time step in the shortest time m/c in which damping stops a bead.
inline constexpr double steps_per_damping_time = 20.0;
/// Steps in m/c if the force jumps when a contact closes: a run misses half of 1/800 of the jump.
/// In a chain what is missed passes from bead to bead, relative to ever smaller forces: with 1/200
/// the third bead's force is wrong by 2 %. In a packing that counts less than the time of the run.
inline constexpr double steps_per_jump = 800.0, packing_steps_per_jump = 200.0;
/// Steps in the rise of a force that sets in within a small part of the overlap.
inline constexpr double steps_per_rise = 50.0;

/// Steps of an automatic time step in a period of a driven end, and the fewest of a given step.
inline constexpr double steps_per_period = 200.0;
inline constexpr double fewest_steps_per_period = 20.0;

/// A run warns of fewer steps than this in a contact: its results are inaccurate.
inline constexpr double few_steps_per_contact = 50.0;

// Limits of the product of time step and frequency, or time step and damping
// (stability_limits of the engines). Frequency times step is 0.0033 for a contact of 1250 steps
// (chains), 0.017 for one of 250 (packings).

/// Limits of a step that resolves the motion: below them the error of a vibration is about 1e-4,
/// and of a law whose force jumps at closing a few percent.
inline constexpr double good_frequency = 0.03, good_damping = 0.1;
/// Limits of the shorter step with which a run restarts.
inline constexpr double fine_frequency = 0.006, fine_damping = 0.03;
/// Limits beyond which the run warns that a given step is coarse.
inline constexpr double coarse_frequency = 0.1, coarse_damping = 0.2;
/// Limits beyond which velocity Verlet cannot be stable, for one bead between fixed neighbours.
inline constexpr double unstable_frequency = 2.0, unstable_damping = 1.0;

/// What the choice of a time step depends on, in addition to the chain or packing.
struct StepRequest {
    double end;                          ///< of the run [s]
    std::optional<double> step{};        ///< given [s]
    double interval;                     ///< a chosen step divides this interval [s]
    bool starts_in_equilibrium = false;  ///< under gravity
};

struct TimeStep {
    double step;              ///< [s]
    std::int64_t count;       ///< steps to the end of the run
    double shortest_contact;  ///< [s]; 0 if nothing ever touches
    double largest_speed;     ///< upper estimate of an approach speed [m/s]
    bool given = false;       ///< by the user, not chosen automatically
    /// Shortest damping time m/c of contacts whose force jumps when they close [s].
    double jumping = std::numeric_limits<double>::infinity();
};

/// A step that cannot be used or chosen. The message continues a sentence that begins with the name
/// of the step.
struct StepError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// The longest step [s] up to `longest` that divides the sampling interval, so that samples
/// coincide with steps.
double fitted_step(double longest, double interval);

/// Number of steps up to `end`. Throws StepError if a double cannot represent it exactly.
std::int64_t steps_to(double end, double step);

/// The time step `step`, shortened to fit the interval and to be at most `longest` [s]. Throws
/// StepError if it needs too many steps.
TimeStep shortened(const TimeStep& step, double longest, const StepRequest& request);

/// The time step `step`, set to exactly this step [s], the result of an earlier shortened().
TimeStep with_step(const TimeStep& step, double exactly, const StepRequest& request);

}  // namespace beadwave::stepping
