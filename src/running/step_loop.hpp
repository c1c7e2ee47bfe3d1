// The steps of one run: blocks of steps, and between them samples, checks of the state,
// checkpoints, and the check whether to stop.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "dynamics/lane_trace.hpp"
#include "recording/schedule.hpp"
#include "recording/store.hpp"
#include "running/sample_counts.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace beadwave::running {

/// The loop of one run. run() and resume() make the whole run; the other functions are its parts,
/// for a caller that advances the system itself.
class StepLoop {
  public:
    /// `energy_interval` [s]: of the ledger, unless the settings give one. `callbacks` must outlive
    /// the loop.
    StepLoop(System& system, const Settings& settings, const stepping::TimeStep& time_step,
             double energy_interval, const Callbacks& callbacks);

    RunEnd run();
    /// Runs on from a checkpoint that the system has been restored from.
    RunEnd resume(const std::vector<double>& observers);

    /// Takes the samples of the state before the first step of this loop.
    void begin();
    bool done() const { return system_.step() >= time_step_.count || stopped_; }
    /// The last step of the next block: system.advance() goes up to it.
    std::int64_t next_stop() const;
    /// Checks the state and takes the samples after the block that began after `first` steps.
    /// `lane`: the sensors of a chain that does not advance by itself; no store may take them.
    void end_block(std::int64_t first, const dynamics::LaneTrace* lane = nullptr);
    RunEnd end() const;

  private:
    RunEnd advance();
    void record_sensors(std::int64_t first);
    /// Takes the samples that are due; the ledger also at the end of the run.
    void sample(bool last);
    void checkpoint();
    void serialize(Archive& archive);
    double seconds() const;

    System& system_;
    const stepping::TimeStep time_step_;
    const Callbacks& callbacks_;
    recording::Schedule energy_, snapshots_, measures_;
    bool takes_snapshots_, measured_, takes_measures_;
    double scale_ = 0.0, largest_relative_energy_error_ = 0.0;
    std::int64_t energy_step_ = -1;
    bool stopped_ = false;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    double earlier_seconds_ = 0.0;
};

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

/// Adds the warnings about the result of a chain's run.
void add_diagnostics(Finished& finished, const chain::Chain& chain, const Settings& settings);

/// Runs trial after trial until one is not rejected; `attempt` makes one. Returns that trial.
/// Throws RunError.
StepTrial run_trials(const StepTrial& first, const Settings& settings,
                     const std::function<void(const StepTrial&)>& attempt);

/// Runs trials as run_trials() does; each runs the system that `make(time_step)` returns. `from`,
/// if not null, is the checkpoint from which the first trial continues.
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
