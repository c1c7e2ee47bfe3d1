// The steps of one run: blocks of steps, and between them samples, checks of the state,
// checkpoints, and the check whether to stop.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "recording/store.hpp"
#include "running/sample_counts.hpp"

#include <memory>

namespace beadwave::running {

/// Runs the system to the last step, from its start or from a checkpoint that it has been restored
/// from. `energy_interval` [s]: of the ledger, unless the settings give one.
RunEnd run_steps(System& system, const Settings& settings, const stepping::TimeStep& time_step,
                 double energy_interval, const Callbacks& callbacks,
                 const std::vector<double>* observers);

/// A store that calls the functions of `sinks`, which outlives it.
class SinkStore : public recording::Store {
  public:
    SinkStore(System& system, const Sinks& sinks) : system_(system), sinks_(sinks) {}
    void sample(recording::Pace pace, std::int64_t step, double time) override;

  private:
    System& system_;
    const Sinks& sinks_;
};

/// Runs trial after trial until one is not rejected; `attempt` makes one. Returns that trial.
/// Throws RunError.
StepTrial run_trials(const StepTrial& first, const Settings& settings,
                     const std::function<void(const StepTrial&)>& attempt);

}  // namespace beadwave::running
