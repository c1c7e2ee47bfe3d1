// The job of a chain.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/step_trials.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "jobs/job.hpp"
#include "ranks/communicator.hpp"
#include "running/chain_system.hpp"

#include <memory>
#include <optional>

namespace beadwave::jobs {

class ChainMemory;
struct Messages;

class ChainJob : public Job {
  public:
    /// Builds the chain and chooses the time step. If there are several ranks, they share the chain
    /// and call all functions together; `ranks` must outlive the job. Throws InputError,
    /// running::RunError.
    explicit ChainJob(io::ReadScenario read, ranks::Communicator* ranks = nullptr);
    /// For a chain that was made in another way; `read` gives the settings of the run.
    ChainJob(io::ReadScenario read, chain::Chain chain);

    std::vector<std::string> warnings() const override;
    double memory() const override;
    io::Columns columns() const override;
    double time_step() const override { return time_step_.step; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.scenario.file_texts;
    }
    JobResult run(const RunRequest& request, ProgressCallback& callback) const override;
    /// The same with another engine, on one thread and into memory only.
    JobResult run_with(const running::MakeEngine& make, ProgressCallback& callback) const;

    const chain::Chain& system() const { return chain_; }
    running::Settings settings() const { return running::settings_of(read_.scenario); }

  private:
    running::StepTrial first_trial(const RunRequest& request) const;
    std::shared_ptr<ChainMemory> make_memory(const running::Settings& settings) const;
    /// Writes no file; `memory`, if it is not null, records the history.
    running::Finished run_unrecorded(const running::Settings& settings,
                                     const running::StepTrial& first, int threads,
                                     const RunRequest& request, ChainMemory* memory,
                                     const running::MakeEngine& make,
                                     ProgressCallback& callback) const;
    JobResult job_result_of(const running::Finished& finished, const RunRequest& request,
                            std::shared_ptr<const Recording> recording,
                            const std::string& how_to_continue,
                            const std::optional<Messages>& messages,
                            ProgressCallback& callback) const;

    io::ReadScenario read_;
    chain::Chain chain_;
    dynamics::TimeStep time_step_;
};

}  // namespace beadwave::jobs
