// The history file of a packing's run; history_file.hpp has that of a chain.
#pragma once

#include "io/history/history_file.hpp"
#include "observers/packing_ledger.hpp"
#include "packing/packing_engine.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace beadwave::io {

/// All particles and all closed contacts at one time.
struct PackingSnapshot {
    std::span<const packing::Vec3> displacement, velocity, angular_velocity;  ///< [m, m/s, rad/s]
    std::span<const packing::ContactState> contacts;
};

/// Errors are those of HistoryFile.
class PackingHistory : public SwmrHistory {
  public:
    /// `packing` must outlive it.
    PackingHistory(const Output& output, const packing::Packing& packing,
                   std::span<const std::int64_t> sensors, bool snapshots,
                   const RunDescription& run);
    /// Continues from a checkpoint.
    PackingHistory(const Output& output, const packing::Packing& packing,
                   std::span<const std::int64_t> sensors, bool snapshots,
                   const ResumePoint& earlier);

    /// One sample of all sensors: net contact force [N] and velocity [m/s].
    void append_sensors(std::int64_t step, double time, std::span<const packing::Vec3> force,
                        std::span<const packing::Vec3> velocity);
    /// Also writes the displacements of the walls [m].
    void append_snapshot(std::int64_t step, double time, const PackingSnapshot& now);
    void append_snapshot(std::int64_t step, double time, const packing::PackingEngine& engine);
    void append_energy(std::int64_t step, double time, const observers::PackingLedger& ledger,
                       const packing::PackingTotals& totals);

    /// Size of these samples in the file [bytes], with `contacts` closed at each snapshot.
    double bytes_of(const running::SampleCounts& samples, std::size_t contacts) const;

  private:
    struct Datasets;
    Datasets& opened() const;
};

}  // namespace beadwave::io
