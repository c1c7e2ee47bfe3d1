// The history of a packing in memory.
#pragma once

#include "io/history/packing_history.hpp"
#include "jobs/recording.hpp"
#include "running/packing_simulation.hpp"

#include <string>
#include <vector>

namespace beadwave::jobs {

class PackingMemory : public Recording {
  public:
    /// `packing` must outlive it. `run` describes the run for /parameters of a saved history.
    PackingMemory(const packing::Packing& packing, running::Settings settings,
                  io::RunDescription run);

    /// See ChainMemory.
    void begin(const running::StepTrial& trial, const packing::PackingEngine& engine);
    running::PackingSinks sinks();
    void finish(std::vector<std::string> warnings) { warnings_ = std::move(warnings); }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    const packing::Packing& packing_;
    running::Settings settings_;
    io::RunDescription run_;
    std::vector<std::string> warnings_;
    SampleTimes sensors_, snapshots_, energy_;
    std::vector<packing::Vec3> force_, sensor_velocity_;                     // samples x sensors
    std::vector<packing::Vec3> displacement_, velocity_, angular_velocity_;  // samples x particles
    std::vector<packing::Vec3> walls_;                                       // samples x walls
    std::vector<packing::ContactState> contacts_;                            // of all snapshots
    std::vector<std::int64_t> row_splits_;  // contacts before each snapshot, then their total
    std::vector<observers::PackingLedger> ledger_;
    std::vector<packing::PackingTotals> totals_;
};

}  // namespace beadwave::jobs
