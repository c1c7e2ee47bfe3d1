// Runs of which a person sees only what comes of all together.
#pragma once

#include "jobs/job.hpp"

namespace beadwave::tasks {

/// Of a task's watcher, what each of its runs asks: whether to stop.
class Unseen : public jobs::Watcher {
  public:
    explicit Unseen(jobs::Watcher& watcher) : watcher_(watcher) {}
    bool stop() override { return watcher_.stop(); }

  private:
    jobs::Watcher& watcher_;
};

}  // namespace beadwave::tasks
