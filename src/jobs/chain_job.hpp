// A chain as a job.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "jobs/job.hpp"

namespace beadwave::jobs {

class ChainJob : public Job {
  public:
    /// Builds the chain and chooses the time step. Throws InputError, running::RunError.
    explicit ChainJob(io::ReadScenario read);

    std::vector<std::string> notes() const override;
    double memory() const override;
    io::Columns columns() const override;
    double time_step() const override { return time_step_.step; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.scenario.file_texts;
    }
    Outcome run(const Request& request, Watcher& watcher) const override;

  private:
    running::Attempt first_attempt(const Request& request) const;

    io::ReadScenario read_;
    chain::Chain chain_;
    dynamics::TimeStep time_step_;
};

}  // namespace beadwave::jobs
