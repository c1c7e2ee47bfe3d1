// `run --check`: the same run with half the time step, and the differences.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "jobs/job.hpp"

namespace beadwave::jobs {

struct HalfStep {
    double time_step;  ///< [s]
    running::RunResult result;
};

/// The same trial with half the step; it is not shortened further.
running::StepTrial at_half_step(const running::StepTrial& whole, const running::Settings& settings);

/// Writes no files. Throws RunError, also if the callback stops the run.
HalfStep run_at_half_step(const chain::Chain& chain, const running::Settings& settings,
                          const running::Finished& whole, ProgressCallback& callback);

}  // namespace beadwave::jobs
