// Runs a packing from the first step to the last; beadwave/running/simulation.hpp does it for a
// chain. If the chosen time step turns out too long, the run restarts with a shorter one.
#pragma once

#include "beadwave/running/settings.hpp"
#include "beadwave/running/step_trials.hpp"
#include "observers/packing_ledger.hpp"
#include "observers/packing_sensors.hpp"
#include "packing/scenario.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::running {

/// The settings of the scenario's run.
Settings settings_of(const packing::Scenario& scenario);

/// packing::choose_time_step; errors name the key in the file. Throws InputError.
dynamics::TimeStep choose_time_step(const packing::Scenario& scenario,
                                    const packing::Packing& packing);

/// Functions that receive samples; each may be empty.
struct PackingSinks {
    observers::PackingSensorSink sensors;
    std::function<void(std::int64_t step, double time, const packing::PackingEngine&)> snapshot;
    std::function<void(std::int64_t step, double time, const observers::PackingLedger&,
                       const packing::PackingTotals&)>
        energy;
    std::function<void(std::int64_t step, double wall_seconds)> progress;
    std::function<bool()> stop;  ///< called between blocks of steps; true ends the run early

    /// See Sinks::checkpoint_due and Sinks::checkpoint.
    std::function<bool(std::int64_t step)> checkpoint_due;
    std::function<void(const std::vector<double>& observers)> checkpoint;
};

struct PackingResult {
    std::int64_t steps;   ///< steps done
    bool stopped;         ///< by PackingSinks::stop
    double wall_seconds;  ///< of all parts of a continued run
    observers::PackingLedger ledger;
    double largest_relative_energy_error;      ///< magnitude, over all samples of the ledger [-]
    packing::Vec3 initial_momentum, momentum;  ///< [kg m/s]
    packing::Vec3 initial_angular_momentum, angular_momentum;  ///< about the origin [kg m^2/s]
    packing::StabilityLimits stability_limits;                 ///< the largest during the run
    std::vector<observers::PackingSensorResult> sensors;
    std::size_t listed_pairs;            ///< at the end
    std::size_t closed_contacts;         ///< at the end
    std::int64_t neighbour_list_builds;  ///< see PackingEngine::neighbour_list_builds
};

struct PackingFinished {
    PackingResult result;
    StepTrial trial;                       ///< the trial that reached the end
    int threads;                           ///< in use
    std::vector<std::string> diagnostics;  ///< reasons to doubt the result

    /// The warnings of all step trials and of the diagnostics.
    std::vector<std::string> warnings() const;
};

/// Called before the first step of each trial; discards what an earlier trial has written.
using BeginPacking = std::function<PackingSinks(const StepTrial&, packing::PackingEngine&)>;

/// The state of a run at a checkpoint.
struct PackingSavedState {
    std::int64_t step;
    std::vector<double> observers;  ///< as passed to PackingSinks::checkpoint
    /// Calls PackingEngine::restore with the saved state; may throw InputError.
    std::function<void(packing::PackingEngine&)> restore;
};

/// The number of threads worth using for a packing on this machine: a few particles take less time
/// than the synchronisation of threads.
int worthwhile_threads(std::size_t particles);

/// Runs the packing, starting with the trial `first`; threads 0: worthwhile_threads(). `from`, if
/// not null, is the checkpoint from which that trial continues. Throws RunError.
PackingFinished run_packing(const packing::Packing& packing, const Settings& settings,
                            const StepTrial& first, int threads, const BeginPacking& begin,
                            const PackingSavedState* from = nullptr);

}  // namespace beadwave::running
