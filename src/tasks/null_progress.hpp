// The progress callback of one run of a task with several runs.
#pragma once

#include "jobs/job.hpp"

namespace beadwave::tasks {

/// Passes stop() on to the callback of the whole task; drops everything else.
class NullProgress : public jobs::ProgressCallback {
  public:
    explicit NullProgress(jobs::ProgressCallback& callback) : callback_(callback) {
        accepts_long_runs = callback.accepts_long_runs;
    }
    bool stop() override { return callback_.stop(); }

  private:
    jobs::ProgressCallback& callback_;
};

}  // namespace beadwave::tasks
