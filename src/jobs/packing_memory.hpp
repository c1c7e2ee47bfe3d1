// A packing's history in memory.
#pragma once

#include "io/history/packing_history.hpp"
#include "jobs/recording.hpp"
#include "running/packing_simulation.hpp"

#include <string>
#include <vector>

namespace beadwave::jobs {

class PackingMemory : public Recording {
  public:
    /// `packing` must outlive it. `run` says what stands under /parameters of a saved history.
    PackingMemory(const packing::Packing& packing, running::Settings settings,
                  io::RunDescription run);

    /// As those of ChainMemory.
    void begin(const running::Attempt& attempt, const packing::PackingEngine& engine);
    running::PackingSinks sinks();
    void finish(std::vector<std::string> notes) { notes_ = std::move(notes); }

    std::vector<ArrayView> arrays() const override;
    void save(const io::Output& output) const override;

  private:
    const packing::Packing& packing_;
    running::Settings settings_;
    io::RunDescription run_;
    std::vector<std::string> notes_;
    SampleTimes sensors_, snapshots_, energy_;
    std::vector<packing::Vec3> force_, sensor_velocity_;         // samples x sensors
    std::vector<packing::Vec3> displacement_, velocity_, spin_;  // samples x particles
    std::vector<packing::Vec3> walls_;                           // samples x walls
    std::vector<packing::ContactState> contacts_;                // of all snapshots
    std::vector<std::int64_t> end_;  // per snapshot: contacts of it and those before
    std::vector<observers::PackingLedger> ledger_;
    std::vector<packing::PackingTotals> totals_;
};

}  // namespace beadwave::jobs
