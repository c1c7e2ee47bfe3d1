// A job from its first step, or from a checkpoint, to its end: what `run` and `resume` share.
#pragma once

#include "jobs/job.hpp"

namespace beadwave::cli {

struct Display {
    bool quiet, json;
};

/// Runs, prints the summary and what gives reason to doubt it; returns the exit status. Throws as
/// Job::run does, and RunError after an interruption, naming the command that continues.
int run_job(const jobs::Job& job, const jobs::Request& request, const Display& display);

}  // namespace beadwave::cli
