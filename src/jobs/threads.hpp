// Threads where the system may have no room for them.
#pragma once

#include "jobs/job.hpp"
#include "ranks/ranks.hpp"

namespace beadwave::jobs {

/// As many as were asked for; 0: this rank's share of what its machine has.
int wanted_threads(int asked, const ranks::Ranks& ranks);

/// How many of `wanted` threads can be started now, this one included; at least one.
int startable_threads(int wanted);

/// The same of a run's threads, 0: as many as there are, and no more than are `worthwhile`.
/// OpenMP's are started then, which would end the process if it could not; the watcher hears of it
/// if they are fewer than was wanted.
int start_threads(int wanted, int worthwhile, Watcher& watcher);

}  // namespace beadwave::jobs
