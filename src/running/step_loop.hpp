// The steps of one run: blocks of steps, and between them samples, checks of the state,
// checkpoints, and the check whether to stop.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "recording/store.hpp"
#include "running/sample_counts.hpp"

#include <memory>
#include <utility>

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

/// The same; each trial runs the system that `make(time_step)` returns. `from`, if not null, is the
/// checkpoint from which the first trial continues.
template <class Result, class Make>
FinishedRun<Result> run_in_trials(const StepTrial& first, const Settings& settings,
                                  const StartTrial& start, const SavedState* from,
                                  const Make& make) {
    FinishedRun<Result> finished;
    finished.trial = run_trials(first, settings, [&](const StepTrial& trial) {
        const SavedState* const saved = std::exchange(from, nullptr);
        const stepping::TimeStep& step = trial.time_step;
        auto system = make(step);
        if (saved != nullptr) saved->restore(system);
        const Callbacks callbacks = start ? start(trial, system) : Callbacks{};
        finished.result =
            system.result(run_steps(system, settings, step, system.standard_energy_interval(),
                                    callbacks, saved != nullptr ? &saved->observers : nullptr));
        finished.threads = system.threads();
    });
    return finished;
}

}  // namespace beadwave::running
