// One run from the first step to the last: drives an engine and passes its states to the observers.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/engine.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/observers/ledger.hpp"
#include "beadwave/observers/sensors.hpp"
#include "beadwave/running/settings.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace beadwave::running {

/// A run that failed: unstable, or its output could not be written. Exit status 1.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A chosen time step turned out too long for the motion; running::run_chain restarts with a
/// shorter one.
struct StepRejected : RunError {
    StepRejected(const std::string& why, double step) : RunError(why), longest(step) {}
    double longest;  ///< step that would have been short enough [s]
};

/// Receivers of the samples; any of them may be empty. Units are SI: m/s, m (displacements from the
/// start), N (contact forces), J, s.
struct Sinks {
    observers::SensorSink sensors;
    std::function<void(std::int64_t step, double time, std::span<const double> displacement,
                       std::span<const double> velocity, std::span<const double> contact_force)>
        snapshot;
    /// `observed`: the observables of observers/observables.cpp, in their order.
    std::function<void(std::int64_t step, double time, const observers::Ledger&,
                       std::span<const double> observed)>
        energy;
    std::function<void(std::int64_t step, double wall_seconds)> progress;
    std::function<bool()> stop;  ///< called between blocks of steps; true ends the run early

    /// Called between blocks of steps; true: `checkpoint` is called next. `checkpoint` is also
    /// called when `stop` ends the run.
    std::function<bool(std::int64_t step)> checkpoint_due;
    /// Gets the observers' state when exactly the samples up to the engine's step have gone to the
    /// sinks.
    std::function<void(const std::vector<double>& observers)> checkpoint;
};

struct RunResult {
    std::int64_t steps;   ///< completed
    bool stopped;         ///< by Sinks::stop
    double wall_seconds;  ///< of all parts of the run, if it was continued
    observers::Ledger ledger;
    double largest_relative_energy_error;  ///< of all ledger samples, in size [-]
    double initial_momentum;               ///< [kg m/s]
    double momentum;                       ///< [kg m/s]
    double sleep_loss_momentum;            ///< of beads put to sleep by time.sleep_speed [kg m/s]
    dynamics::StabilityLimits stability_limits;  ///< the largest during the run
    std::vector<observers::SensorResult> sensors;
};

/// Runs `time_step.count` steps. For a given step, throws RunError when a bead's state stops being
/// finite or the step cannot be stable. For a chosen step, throws StepRejected in these cases and
/// also when the step does not resolve the motion of the beads. By then the samples up to the last
/// good state have gone to the sinks.
RunResult simulate(const Settings& settings, const chain::Chain& chain,
                   const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                   const Sinks& sinks);

/// The state of a run at a checkpoint.
struct SavedState {
    std::int64_t step;
    std::vector<double> observers;  ///< what Sinks::checkpoint got
    /// Writes the columns of Engine::state().
    std::function<void(dynamics::Engine&)> restore;
};

/// Continues a run from a checkpoint of the same scenario, with an engine that has not stepped yet.
/// Samples and result equal those of the uninterrupted run to the bit. Throws std::length_error if
/// the observers' state belongs to another scenario.
RunResult continue_simulation(const Settings& settings, const chain::Chain& chain,
                              const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                              const Sinks& sinks, const SavedState& from);

}  // namespace beadwave::running
