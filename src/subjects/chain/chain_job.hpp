// The job of a chain.
#pragma once

#include "base/long_run.hpp"
#include "beadwave/chain/chain.hpp"
#include "beadwave/running/step_trials.hpp"
#include "beadwave/stepping/time_step.hpp"
#include "chain/contact_bodies.hpp"
#include "chain/equilibrium.hpp"
#include "jobs/job.hpp"
#include "ranks/communicator.hpp"
#include "running/chain_system.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::jobs {

class ChainJob : public Job {
  public:
    /// Builds the chain and chooses the time step. If there are several ranks, they share the chain
    /// and call all functions together; `ranks` must outlive the job. Throws InputError,
    /// running::RunError.
    /// `time_step`: if not null, the one that the same job has chosen before.
    explicit ChainJob(io::ReadScenario read, ranks::Communicator* ranks = nullptr,
                      const stepping::TimeStep* time_step = nullptr);
    /// Takes a chain that was made in another way; `read` gives the settings of the run.
    ChainJob(io::ReadScenario read, chain::Chain chain);

    std::vector<std::string> warnings() const override { return read_.warnings; }
    double memory() const override { return running::memory_needed(read_.scenario, chain_); }
    double least_wall_time() const override {
        return beadwave::least_wall_time(static_cast<double>(time_step_.count),
                                         static_cast<double>(chain_.total()));
    }
    io::Columns columns() const override;
    double time_step() const override { return time_step_.step; }
    std::optional<stepping::TimeStep> chosen_step() const override { return time_step_; }
    const std::string& scenario_text() const override { return read_.scenario.text; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.scenario.file_texts;
    }
    JobResult run(const RunRequest& request, ProgressCallback& callback) const override;
    std::string together_key() const override;
    std::size_t most_together() const override;
    std::vector<std::optional<JobResult>> run_together(std::span<const std::unique_ptr<Job>> jobs,
                                                       ProgressCallback& callback) const override;
    /// Runs the job with another engine, on one thread and into memory only.
    JobResult run_with(const running::MakeEngine& make, ProgressCallback& callback) const;

    const chain::Chain& system() const { return chain_; }
    const chain::Scenario& scenario() const { return read_.scenario; }
    /// The initial time step of a run, in full.
    const stepping::TimeStep& first_step() const { return time_step_; }
    running::Settings settings() const { return running::settings_of(read_.scenario); }
    /// What the laws of the contacts are made of.
    virtual chain::ContactBodies contact_bodies() const {
        return chain::contact_bodies(read_.scenario, chain_);
    }
    /// Whether gaps and loads follow from a static equilibrium.
    bool starts_in_equilibrium() const;
    /// Its loads, of a chain without pair forces that one process holds.
    std::optional<chain::StaticLoads> static_loads() const;

  private:
    JobResult run(const RunRequest& request, const running::MakeEngine& make,
                  ProgressCallback& callback) const;

    io::ReadScenario read_;
    chain::Chain chain_;
    stepping::TimeStep time_step_;
};

}  // namespace beadwave::jobs
