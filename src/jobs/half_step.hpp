// `run --check`: the same run at half the step, and what that changes.
#pragma once

#include "beadwave/running/attempts.hpp"
#include "jobs/job.hpp"

namespace beadwave::jobs {

struct HalfStep {
    double time_step;  ///< [s]
    running::RunResult result;
};

/// The same with half the step, whatever it meets.
running::Attempt at_half_step(const running::Attempt& whole, const running::Settings& settings);

/// Writes nothing. Throws RunError, also when the watcher stops it.
HalfStep run_at_half_step(const chain::Chain& chain, const running::Settings& settings,
                          const running::Finished& whole, Watcher& watcher);

}  // namespace beadwave::jobs
