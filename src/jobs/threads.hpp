// The number of threads, which the system may limit.
#pragma once

#include "jobs/job.hpp"
#include "ranks/communicator.hpp"

namespace beadwave::jobs {

/// The given number of threads; 0: the threads of the machine divided by its ranks.
int wanted_threads(int asked, const ranks::Communicator& ranks);

/// How many of `wanted` threads can be started now, including this one; at least one.
int startable_threads(int wanted);

/// The number of threads of a run; wanted 0: all that there are, but at most `worthwhile`. Starts
/// the threads of OpenMP, which ends the process if it cannot start them later. Warns through the
/// callback if there are fewer threads than wanted.
int start_threads(int wanted, int worthwhile, ProgressCallback& callback);

}  // namespace beadwave::jobs
