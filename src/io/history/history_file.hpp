// The history of a run, written while it runs: HDF5 in the H5MD 1.1 layout. Until it is closed it
// has a name of its own, and can be followed: see running_history.hpp.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/observers/ledger.hpp"
#include "io/files/result_place.hpp"
#include "io/history/growing_history.hpp"
#include "running/sample_counts.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

/// What stands under /parameters.
struct RunDescription {
    std::string scenario_text;
    std::string law;
    double time_step;  ///< [s]
    int threads;
    std::map<std::string, std::string>
        file_texts{};        ///< of the files that the scenario names, by dotted key
    std::int64_t steps = 0;  ///< of the whole run
};

class HistoryFile : public GrowingHistory {
  public:
    /// Creates the file and writes everything that does not change; `chain` may change or go
    /// afterwards. An earlier history at the place is replaced by close(). Throws InputError,
    /// leaving what was there untouched, if the folder is missing or not writable, or if a folder
    /// or another file than a history stands there; std::runtime_error if another process is
    /// writing this history.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const RunDescription& run);
    /// Goes on from a checkpoint; the rest as above.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const KeptHistory& earlier);

    // Each append throws WriteError when the file cannot take it (disk full). The file then
    // stays readable, as it was flushed last, and takes nothing more; it gets its final name only
    // if no earlier history has it.

    /// One sample of all sensors: force [N] and velocity [m/s] in the order of sensor_beads.
    void append_sensors(std::int64_t step, double time, std::span<const double> force,
                        std::span<const double> velocity);
    /// One snapshot of all beads, displacement [m] from the start and velocity [m/s], and of all
    /// contacts, force [N]. With them goes where the driven ends' walls are, left and right [m].
    void append_snapshot(std::int64_t step, double time, std::span<const double> displacement,
                         std::span<const double> velocity, std::span<const double> contact_force);
    /// One sample of the ledger, a dataset an entry of observers::sampled_entries, and of
    /// observers::observables().
    void append_energy(std::int64_t step, double time, const observers::Ledger& ledger,
                       std::span<const double> observed);

    // Of a chain that ranks share only the first has the file open: for a snapshot it says where
    // position, velocity, displacement and contact force go, all write their own there, and then it
    // stands in the file, or is taken back where one could not. See shared_history.hpp.
    std::vector<hdf5::RowPlaces> reserve_snapshot();
    void commit_snapshot(std::int64_t step, double time);
    void take_back_snapshot();
    /// The same of what is written of every bead at the start.
    static constexpr std::array bead_columns = {"particles/beads/id", "particles/beads/mass",
                                                "particles/beads/radius", "particles/beads/species",
                                                "parameters/contact_gap"};
    std::vector<std::int64_t> column_places() const;
    std::filesystem::path growing_path() const;

    /// What so many samples take in the file.
    double bytes_of(const running::SampleCounts& samples) const;

  private:
    void append_walls(std::int64_t step, double time);

    struct Datasets;
    Datasets& opened() const;
};

}  // namespace beadwave::io
