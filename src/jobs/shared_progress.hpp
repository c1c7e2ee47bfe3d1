// The progress callback of a job that several ranks run: a stop on one rank stops all ranks.
#pragma once

#include "jobs/job.hpp"
#include "ranks/communicator.hpp"

namespace beadwave::jobs {

class SharedProgressCallback : public ProgressCallback {
  public:
    SharedProgressCallback(ProgressCallback& own, ranks::Communicator& ranks)
        : own_(own), ranks_(ranks) {
        accepts_long_runs = own.accepts_long_runs;
    }

    /// All ranks call this together.
    bool stop() override { return ranks_.any(own_.stop()); }
    void warn(const std::string& note) override { own_.warn(note); }
    void begin(std::int64_t steps, double time_step, std::size_t count) override {
        own_.begin(steps, time_step, count);
    }
    void progress(std::int64_t step, double wall_seconds) override {
        own_.progress(step, wall_seconds);
    }

  private:
    ProgressCallback& own_;
    ranks::Communicator& ranks_;
};

}  // namespace beadwave::jobs
