// One run from the first step to the last: drives an engine and shows its states to the observers.
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

/// A chosen time step that was not good for what then happened; running::run_chain begins again.
struct StepTooLong : RunError {
    StepTooLong(const std::string& why, double step) : RunError(why), longest(step) {}
    double longest;  ///< that would have been [s]
};

/// Where samples go; any may be empty. Velocities in m/s, displacements from the start in m,
/// contact forces in N, J, s.
struct Sinks {
    observers::SensorSink sensors;
    std::function<void(std::int64_t step, double time, std::span<const double> displacement,
                       std::span<const double> velocity, std::span<const double> contact_force)>
        snapshot;
    /// `observed`: what observers/observables.cpp lists, in its order.
    std::function<void(std::int64_t step, double time, const observers::Ledger&,
                       std::span<const double> observed)>
        energy;
    std::function<void(std::int64_t step, double wall_seconds)> progress;
    std::function<bool()> stop;  ///< asked between blocks of steps; true ends the run early

    /// Asked between blocks of steps: whether to call `checkpoint`, which is also called when
    /// `stop` ends the run.
    std::function<bool(std::int64_t step)> checkpoint_due;
    /// Gets the observers' state after all samples up to the engine's step have gone to the sinks,
    /// and none after.
    std::function<void(const std::vector<double>& observers)> checkpoint;
};

struct RunResult {
    std::int64_t steps;   ///< done
    bool stopped;         ///< by Sinks::stop
    double wall_seconds;  ///< of all its pieces, if it was continued
    observers::Ledger ledger;
    double largest_residual;    ///< of all ledger samples, in size [-]
    double initial_momentum;    ///< [kg m/s]
    double momentum;            ///< [kg m/s]
    double discarded_momentum;  ///< of beads put to rest by time.sleep_speed [kg m/s]
    dynamics::Rates rates;      ///< the largest that were met
    std::vector<observers::SensorResult> sensors;
};

/// Runs `time_step.count` steps. Throws RunError when a bead's state stops being finite or the step
/// cannot be stable, StepTooLong instead if the step was chosen, or if it does not resolve what
/// beads do; samples up to the last good state have gone to the sinks by then.
RunResult simulate(const Settings& settings, const chain::Chain& chain,
                   const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                   const Sinks& sinks);

/// Where a run stood at a checkpoint.
struct Standing {
    std::int64_t step;
    std::vector<double> observers;  ///< as Sinks::checkpoint got it
    /// Writes the columns of Engine::state().
    std::function<void(dynamics::Engine&)> restore;
};

/// Runs on from a checkpoint of the same scenario, with an engine that has not stepped yet. Samples
/// and result are those of the uninterrupted run to the bit. Throws std::length_error if the
/// observers' state is of another scenario.
RunResult continue_simulation(const Settings& settings, const chain::Chain& chain,
                              const dynamics::TimeStep& time_step, dynamics::Engine& engine,
                              const Sinks& sinks, const Standing& from);

}  // namespace beadwave::running
