// A chain's history in memory.
#pragma once

#include "beadwave/running/attempts.hpp"
#include "io/history/history_file.hpp"
#include "jobs/recording.hpp"

#include <string>
#include <vector>

namespace beadwave::jobs {

class ChainMemory : public Recording {
  public:
    /// Both must outlive it. `run` says what stands under /parameters of a saved history.
    ChainMemory(const chain::Chain& chain, running::Settings settings, io::RunDescription run);

    /// Forgets an earlier attempt's samples. Throws InputError if memory cannot hold this one's.
    void begin(const running::Attempt& attempt, int threads);
    /// What fills it; the others stay empty.
    running::Sinks sinks();
    void finish(std::vector<std::string> notes) { notes_ = std::move(notes); }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    bool drives() const { return chain_.left_drive || chain_.right_drive; }

    const chain::Chain& chain_;
    running::Settings settings_;
    io::RunDescription run_;
    std::vector<std::string> notes_;
    std::vector<double> position_;  // at the start
    SampleTimes sensors_, snapshots_, energy_;
    std::vector<double> force_, sensor_velocity_;                          // samples x sensors
    std::vector<double> displacement_, velocity_, contact_force_, walls_;  // samples x beads, ...
    std::vector<observers::Ledger> ledger_;
    std::vector<double> observed_;
};

}  // namespace beadwave::jobs
