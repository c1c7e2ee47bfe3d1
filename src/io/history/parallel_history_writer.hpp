// The history of a chain that is distributed over ranks. The first rank has the file open and
// reserves the places in it; each rank writes the data of its own beads there.
//
// Parallel HDF5 (over MPI) does not support SWMR, with which others can read a growing file.
// Reserved places and plain writes to them do.
#pragma once

#include "io/files/parallel_file.hpp"
#include "io/history/history_file.hpp"
#include "ranks/communicator.hpp"

#include <optional>
#include <span>
#include <vector>

namespace beadwave::io {

class ParallelHistoryWriter {
  public:
    // All functions are collective. The arguments are the same on all ranks, except the chain and
    // its state. If one rank throws, all throw.

    /// See HistoryFile. If it throws, the new file is removed.
    ParallelHistoryWriter(const Output& output, const chain::Chain& chain,
                          std::span<const std::int64_t> sensor_beads, bool snapshots,
                          const RunDescription& run);
    ParallelHistoryWriter(const Output& output, const chain::Chain& chain,
                          std::span<const std::int64_t> sensor_beads, bool snapshots,
                          const ResumePoint& earlier);

    /// The data of the own beads. The last rank has one contact more than beads.
    void append_snapshot(std::int64_t step, double time, std::span<const double> displacement,
                         std::span<const double> velocity, std::span<const double> contact_force);

    /// Syncs to the disk what all ranks have written.
    void sync();

    /// The file of the first rank; null on other ranks. Only the first rank appends samples of
    /// sensors and of the ledger.
    HistoryFile* file() { return file_ ? &*file_ : nullptr; }

  private:
    void begin(const Output& output, const chain::Chain& chain, bool snapshots, bool columns);
    void write_columns(const chain::Chain& chain);

    ranks::Communicator& ranks_;
    std::size_t first_;  ///< number of the first own bead
    std::optional<HistoryFile> file_;
    std::optional<ParallelFile> parallel_file_;
    std::vector<double> start_;  ///< initial positions of the own beads [m]
};

}  // namespace beadwave::io
