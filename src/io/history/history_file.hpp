// The history of a chain's run, written during the run: HDF5 in the H5MD 1.1 format. Until it is
// closed it has a name of its own and can be followed: see history_follower.hpp.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/observers/ledger.hpp"
#include "io/files/output_path.hpp"
#include "io/history/swmr_history.hpp"
#include "running/sample_counts.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

/// The content of the group /parameters.
struct RunDescription {
    std::string scenario_text;
    std::string law;
    double time_step;  ///< [s]; of a mechanism: the sampling interval
    int threads;
    std::map<std::string, std::string>
        file_texts{};        ///< of the files that the scenario names, by dotted key
    std::int64_t steps = 0;  ///< of the whole run; of a mechanism: its samples
};

class HistoryFile : public SwmrHistory {
  public:
    /// Creates the file and writes everything that does not change; afterwards `chain` may change
    /// or be destroyed. close() replaces an earlier history of this name. Throws InputError,
    /// without changing an existing file, if the folder is missing or not writable, or if the path
    /// is a folder or a file other than a history; std::runtime_error if another process is writing
    /// this history.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const RunDescription& run);
    /// Continues from a checkpoint; otherwise as above.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const ResumePoint& earlier);

    // Each append function throws WriteError if the file cannot be written (disk full). The file
    // remains readable, as last flushed, and accepts no more samples. It gets its final name only
    // if no earlier history has that name.

    /// One sample of all sensors: force [N] and velocity [m/s] in the order of sensor_beads.
    void append_sensors(std::int64_t step, double time, std::span<const double> force,
                        std::span<const double> velocity);
    /// One snapshot: displacement [m] from the initial position and velocity [m/s] of all beads,
    /// force [N] of all contacts. The displacements of driven walls, left and right [m], are added.
    void append_snapshot(std::int64_t step, double time, std::span<const double> displacement,
                         std::span<const double> velocity, std::span<const double> contact_force);
    /// One sample of the ledger, with one dataset per entry of observers::sampled_entries, and of
    /// observers::observables().
    void append_energy(std::int64_t step, double time, const observers::Ledger& ledger,
                       std::span<const double> observed);

    // For a chain that is distributed over ranks. Only the first rank has the file open. For a
    // snapshot it reserves the places of position, velocity, displacement and contact force; each
    // rank writes its own part there. Then the snapshot is committed, or rolled back if a rank
    // could not write. See parallel_history_writer.hpp.
    std::vector<hdf5::RowPlaces> reserve_snapshot();
    void commit_snapshot(std::int64_t step, double time);
    void roll_back_snapshot();
    /// The same for the constants of every bead.
    static constexpr std::array bead_columns = {"particles/beads/id", "particles/beads/mass",
                                                "particles/beads/radius", "particles/beads/species",
                                                "parameters/contact_gap"};
    std::vector<std::int64_t> column_places() const;
    std::filesystem::path growing_path() const;

    /// Size of this number of samples in the file [bytes].
    double bytes_of(const running::SampleCounts& samples) const;

  private:
    void append_walls(std::int64_t step, double time);

    struct Datasets;
    Datasets& opened() const;
};

}  // namespace beadwave::io
