// Runs a job from its first step, or from a checkpoint, to its end: the common part of `run` and
// `resume`.
#pragma once

#include "cli/terminal.hpp"
#include "jobs/job.hpp"

namespace beadwave::cli {

/// Runs, however long that takes if the user agrees, prints the summary and the warnings, and
/// returns the exit status. Throws as Job::run does, and RunError after an interruption, with the
/// command that continues the run.
int run_job(const jobs::Job& job, const jobs::RunRequest& request, const Display& display,
            bool accepts_long_runs = false);

}  // namespace beadwave::cli
