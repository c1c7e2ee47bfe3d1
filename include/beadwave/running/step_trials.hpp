// Trials of the time step. If the automatically chosen step turns out too long, the run restarts
// with a shorter one. The shorter step is the same on every machine, and interruptions do not
// change it. A finished run carries warnings about everything that may make its result wrong.
#pragma once

#include "beadwave/running/simulation.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::running {

/// One trial of a run, with one time step.
struct StepTrial {
    stepping::TimeStep time_step;
    std::vector<std::string> warnings{};  ///< why earlier trials were rejected
};

/// Called before the first step of each trial; it must discard what an earlier trial has written.
using StartTrial = std::function<Callbacks(const StepTrial&, System&)>;

/// Makes the engine for a chain and a time step [s].
using MakeEngine =
    std::function<std::unique_ptr<dynamics::Engine>(const chain::Chain&, double time_step)>;

template <class Result>
struct FinishedRun {
    Result result;
    StepTrial trial;                       ///< the last one, which was not rejected
    int threads;                           ///< in use
    std::vector<std::string> diagnostics;  ///< warnings about the result of this trial

    /// All warnings: why trials were rejected, and the diagnostics.
    std::vector<std::string> warnings() const {
        std::vector<std::string> all = trial.warnings;
        all.insert(all.end(), diagnostics.begin(), diagnostics.end());
        return all;
    }
};
using Finished = FinishedRun<RunResult>;

/// Runs the chain, beginning with the trial `first`; threads 0: all that there are. `from`, if not
/// null, is the checkpoint from which `first` continues. `make` replaces the usual engine. Throws
/// RunError.
Finished run_chain(const chain::Chain& chain, const Settings& settings, const StepTrial& first,
                   int threads, const StartTrial& start, const SavedState* from = nullptr,
                   const MakeEngine& make = {});

/// Warnings about a run that are known before it starts.
std::vector<std::string> diagnose(const chain::Chain& chain, const stepping::TimeStep& time_step);

}  // namespace beadwave::running
