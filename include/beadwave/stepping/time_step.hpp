// The time step of chains and packings. It is chosen from the fastest vibration and damping that
// the contacts are known to have, or a given step is checked against these. The run then monitors
// what really happens: see the limits below and the stability_limits of the engines.
#pragma once

#include <cstdint>
#include <initializer_list>
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

/// What limits the time step of a run.
enum class StepRule : int {
    given,      ///< time.step
    contact,    ///< steps in the shortest contact or vibration
    damping,    ///< steps in the shortest damping time
    jump,       ///< steps in the damping time of a force that jumps when a contact closes
    rise,       ///< steps in the rise of the force
    collision,  ///< the error of a collision
    drive,      ///< steps in the period of a drive
    turning,    ///< the angle by which a body turns in a step
    restart,    ///< what an earlier trial of the run met
};

/// What the choice of a time step depends on, in addition to the chain or packing.
struct StepRequest {
    double end;                          ///< of the run [s]
    std::optional<double> step{};        ///< given [s]
    double interval;                     ///< a chosen step divides this interval [s]
    bool starts_in_equilibrium = false;  ///< under gravity
    /// Of packings: the relative error of collisions and vibrations [-]; none: the usual one.
    std::optional<double> resolution{};
};

struct TimeStep {
    double step;              ///< [s]
    std::int64_t count;       ///< steps to the end of the run
    double shortest_contact;  ///< [s]; 0 if nothing ever touches
    double largest_speed;     ///< upper estimate of an approach speed [m/s]
    bool given = false;       ///< by the user, not chosen automatically
    /// Shortest damping time m/c of contacts whose force jumps when they close [s].
    double jumping = std::numeric_limits<double>::infinity();
    StepRule rule = StepRule::given;  ///< what limited it
    /// The time that the rule resolves [s], such as that of a contact; 0: none.
    double rule_time = 0.0;
    double resolution = 0.0;  ///< StepRequest::resolution of a chosen step [-]; 0: none
    // Limits beyond which a chosen step was too long and the run restarts with a shorter one.
    double too_coarse_frequency = coarse_frequency, too_coarse_damping = coarse_damping;
};

/// A step that cannot be used or chosen. The message continues a sentence that begins with the name
/// of the step.
struct StepError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// A rule with the step [s] that it allows and the time [s] that it resolves.
struct StepLimit {
    StepRule rule;
    double step, time;
};

/// The limit with the shortest step; the first of equal ones.
StepLimit shortest_limit(std::initializer_list<StepLimit> limits);

/// "contact", "damping", ...: the rule in files and JSON.
const char* name_of(StepRule rule);

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
