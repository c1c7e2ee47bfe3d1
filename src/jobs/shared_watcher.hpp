// Who looks on while several ranks run one job: what stops one stops all.
#pragma once

#include "jobs/job.hpp"
#include "ranks/ranks.hpp"

namespace beadwave::jobs {

class SharedWatcher : public Watcher {
  public:
    SharedWatcher(Watcher& own, ranks::Ranks& ranks) : own_(own), ranks_(ranks) {}

    /// All ranks ask together.
    bool stop() override { return ranks_.any(own_.stop()); }
    void say(const std::string& note) override { own_.say(note); }
    void begin(std::int64_t steps, double time_step, std::size_t count) override {
        own_.begin(steps, time_step, count);
    }
    void progress(std::int64_t step, double wall_seconds) override {
        own_.progress(step, wall_seconds);
    }

  private:
    Watcher& own_;
    ranks::Ranks& ranks_;
};

}  // namespace beadwave::jobs
