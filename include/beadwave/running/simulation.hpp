// One run from the first step to the last: steps a system and passes its states to the observers.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/observers/sensors.hpp"
#include "beadwave/running/system.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::recording {
class Store;
}

namespace beadwave::running {

/// The functions that a run calls; each may be empty.
struct Callbacks {
    recording::Store* store = nullptr;  ///< takes the samples
    /// Called with each snapshot, also without a store.
    std::function<void(const OwnPart&)> each_snapshot{};
    std::function<void(std::int64_t step, double wall_seconds)> progress{};
    std::function<bool()> stop{};  ///< called between blocks of steps; true ends the run early
    /// Called between blocks of steps; true: `checkpoint` is called next. `checkpoint` is also
    /// called when `stop` ends the run.
    std::function<bool(std::int64_t step)> checkpoint_due{};
    /// Gets the state of the loop and the observers when exactly the samples up to the system's
    /// step have gone to the store.
    std::function<void(const std::vector<double>& observers)> checkpoint{};
};

/// Callbacks with functions in place of a store. Units are SI: m/s, N, J, s.
struct Sinks : Callbacks {
    /// Force [N] and velocity [m/s] of all sensors, in the order of the settings; in a packing
    /// three components each.
    std::function<void(std::int64_t step, double time, std::span<const double> force,
                       std::span<const double> velocity)>
        sensors{};
    std::function<void(std::int64_t step, double time, System& system)> snapshot{};
    std::function<void(std::int64_t step, double time, const recording::Ledger&)> energy{};
};

/// The part of the result that every run has.
struct RunEnd {
    std::int64_t steps;   ///< completed
    bool stopped;         ///< by Callbacks::stop
    double wall_seconds;  ///< of all parts of the run, if it was continued
    recording::Ledger ledger;
    double largest_relative_energy_error;  ///< of all ledger samples, in size [-]
    std::vector<observers::SensorResult> sensors;
};

struct RunResult : RunEnd {
    double initial_momentum;     ///< [kg m/s]
    double momentum;             ///< [kg m/s]
    double sleep_loss_momentum;  ///< of beads put to sleep by time.sleep_speed [kg m/s]
    dynamics::StabilityLimits stability_limits;  ///< the largest during the run
};

/// The state of a run at a checkpoint.
struct SavedState {
    std::int64_t step;
    std::vector<double> observers;         ///< what Callbacks::checkpoint got
    std::function<void(System&)> restore;  ///< calls System::restore
};

/// Runs the chain for `time_step.count` steps. For a given step, throws RunError when a bead's
/// state stops being finite or the step cannot be stable. For a chosen step, throws StepRejected in
/// these cases and also when the step does not resolve the motion of the beads. By then the samples
/// up to the last good state have gone to the sinks.
RunResult simulate(const Settings& settings, const chain::Chain& chain,
                   const stepping::TimeStep& time_step, dynamics::Engine& engine,
                   const Sinks& sinks);

/// Continues a run from a checkpoint of the same scenario, with an engine that has not stepped yet.
/// Samples and result equal those of the uninterrupted run to the bit. Throws std::length_error if
/// the observers' state belongs to another scenario.
RunResult continue_simulation(const Settings& settings, const chain::Chain& chain,
                              const stepping::TimeStep& time_step, dynamics::Engine& engine,
                              const Sinks& sinks, const SavedState& from);

}  // namespace beadwave::running
