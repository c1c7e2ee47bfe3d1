// The history of a chain in memory.
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "io/history/history_file.hpp"
#include "jobs/recording.hpp"

#include <string>
#include <vector>

namespace beadwave::jobs {

class ChainMemory : public Recording {
  public:
    /// `chain` must outlive this object. `run`: the contents of /parameters in a saved history.
    ChainMemory(const chain::Chain& chain, running::Settings settings, io::RunDescription run);

    /// Discards the samples of an earlier trial. Throws InputError if the samples of this trial do
    /// not fit the memory.
    void begin(const running::StepTrial& trial, int threads);
    /// The sinks that record the samples; all other sinks are empty.
    running::Sinks sinks();
    void finish(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    bool drives() const { return chain_.left_drive || chain_.right_drive; }

    const chain::Chain& chain_;
    running::Settings settings_;
    io::RunDescription run_;
    std::vector<std::string> warnings_;
    std::vector<double> position_;  // at the start
    SampleTimes sensors_, snapshots_, energy_;
    std::vector<double> force_, sensor_velocity_;  // samples x sensors
    std::vector<double> displacement_, velocity_, contact_force_,
        walls_;  // samples x beads, and so on
    std::vector<observers::Ledger> ledger_;
    std::vector<double> observed_;
};

}  // namespace beadwave::jobs
