// A chain as a job.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/dynamics/time_step.hpp"
#include "beadwave/running/attempts.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "jobs/job.hpp"
#include "ranks/ranks.hpp"
#include "running/model.hpp"

#include <memory>
#include <optional>

namespace beadwave::jobs {

class ChainMemory;
struct Messages;

class ChainJob : public Job {
  public:
    /// Builds the chain and chooses the time step. Ranks that are several share the chain, and do
    /// all of this together; they outlive it. Throws InputError, running::RunError.
    explicit ChainJob(io::ReadScenario read, ranks::Ranks* ranks = nullptr);
    /// Of a chain that was made otherwise: `read` says how to run it.
    ChainJob(io::ReadScenario read, chain::Chain chain);

    std::vector<std::string> notes() const override;
    double memory() const override;
    io::Columns columns() const override;
    double time_step() const override { return time_step_.step; }
    const std::map<std::string, std::string>& file_texts() const override {
        return read_.scenario.file_texts;
    }
    Outcome run(const Request& request, Watcher& watcher) const override;
    /// The same, stepped by another engine, on one thread and into memory only.
    Outcome run_with(const running::MakeEngine& make, Watcher& watcher) const;

    const chain::Chain& model() const { return chain_; }
    running::Settings settings() const { return running::settings_of(read_.scenario); }

  private:
    running::Attempt first_attempt(const Request& request) const;
    std::shared_ptr<ChainMemory> make_memory(const running::Settings& settings) const;
    /// Leaves nothing behind but what `memory`, if it is not null, keeps.
    running::Finished run_unrecorded(const running::Settings& settings,
                                     const running::Attempt& first, int threads,
                                     const Request& request, ChainMemory* memory,
                                     const running::MakeEngine& make, Watcher& watcher) const;
    Outcome outcome_of(const running::Finished& finished, const Request& request,
                       std::shared_ptr<const Recording> recording,
                       const std::string& how_to_continue, const std::optional<Messages>& messages,
                       Watcher& watcher) const;

    io::ReadScenario read_;
    chain::Chain chain_;
    dynamics::TimeStep time_step_;
};

}  // namespace beadwave::jobs
