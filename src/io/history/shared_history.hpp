// The history of a chain that several ranks share: the first rank has the file open, and all write
// what is of their own beads to the places in it that it names.
//
// HDF5 over MPI does without readers while a file grows (SWMR); places that are set aside first,
// and plain writes to them, do not.
#pragma once

#include "io/files/writing.hpp"
#include "io/history/history_file.hpp"
#include "ranks/ranks.hpp"

#include <optional>
#include <span>
#include <vector>

namespace beadwave::io {

class SharedHistory {
  public:
    // All ranks call these together, with the same arguments but for the chain and its state. What
    // one throws all throw.

    /// See HistoryFile. Where it throws, nothing is left of what it began.
    SharedHistory(const Output& output, const chain::Chain& chain,
                  std::span<const std::int64_t> sensor_beads, bool snapshots,
                  const RunDescription& run);
    SharedHistory(const Output& output, const chain::Chain& chain,
                  std::span<const std::int64_t> sensor_beads, bool snapshots,
                  const KeptHistory& earlier);

    /// Of the own beads; the last rank has a contact more than beads.
    void append_snapshot(std::int64_t step, double time, std::span<const double> displacement,
                         std::span<const double> velocity, std::span<const double> contact_force);

    /// What all have written so far is on the disk.
    void sync();

    /// Of the first rank; null elsewhere. Alone it takes samples of sensors and of the ledger.
    HistoryFile* file() { return file_ ? &*file_ : nullptr; }

  private:
    void begin(const Output& output, const chain::Chain& chain, bool snapshots, bool columns);
    void write_columns(const chain::Chain& chain);

    ranks::Ranks& ranks_;
    std::size_t first_;  ///< number of the first own bead
    std::optional<HistoryFile> file_;
    std::optional<Writing> writing_;
    std::vector<double> start_;  ///< of the own beads [m]
};

}  // namespace beadwave::io
