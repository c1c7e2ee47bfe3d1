// Parallel regions that cost nothing on one thread.
#pragma once

#include <omp.h>

namespace beadwave::stepping {

/// Calls `work` on this many threads, where it shares loops with `omp for`. One thread calls it as
/// it is: a region of one thread has the system wake threads that do not exist, at its end and at
/// each of its loops, which takes as long as the step of 100 particles.
template <class Work>
void on_threads(int threads, const Work& work) {
    // Within another region a loop would be shared with its threads.
    if (threads <= 1 && omp_get_level() == 0) return work();
#pragma omp parallel num_threads(threads > 1 ? threads : 1)
    work();
}

}  // namespace beadwave::stepping
