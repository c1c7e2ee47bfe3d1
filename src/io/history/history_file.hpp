// The history of a run, written while it runs: HDF5 in the H5MD 1.1 layout. Until it is closed it
// has a name of its own, and can be followed: see running_history.hpp.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/observers/ledger.hpp"
#include "io/files/result_place.hpp"
#include "io/hdf5/hdf5.hpp"
#include "running/sample_counts.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

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

class HistoryFile {
  public:
    /// Creates the file and writes everything that does not change; `chain` may change or go
    /// afterwards. An earlier history at the place is replaced by close(). Throws InputError,
    /// leaving what was there untouched, if the folder is missing or not writable, or if a folder
    /// or another file than a history stands there; std::runtime_error if another process is
    /// writing this history.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const RunDescription& run);
    /// Creates the file with all that `earlier` holds of a history (see copy_to) and goes on from
    /// there; the rest as above.
    HistoryFile(const Output& output, const chain::Chain& chain,
                std::span<const std::int64_t> sensor_beads, bool snapshots,
                const hdf5::File& earlier);
    ~HistoryFile();
    HistoryFile(HistoryFile&&) noexcept;
    HistoryFile& operator=(HistoryFile&&) noexcept;

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

    /// Whether others have removed the growing file, or its folder, or put another in its place;
    /// looked for twice a second. What was written stays, and can still be copied.
    bool lost() const;

    /// What so many samples take in the file.
    double bytes_of(const running::SampleCounts& samples) const;

    /// Copies everything so far to an empty file, which is then a history itself. Throws
    /// std::runtime_error when either cannot be written; only in the first case has this one
    /// failed.
    void copy_to(const hdf5::File& copy);

    /// Flushes what was appended, for those who look on and in case the process is killed, if the
    /// last time is half a second ago. To be called often.
    void keep_current();

    /// Flushes, closes and gives the file its final name; further appends are an error. `notes` is
    /// what gives reason to doubt the run. The destructor closes too, without throwing. Throws
    /// WriteError, also if the file is lost; std::runtime_error, and leaves it beside its name, if
    /// others have put a file there.
    void close(std::span<const std::string> notes = {});

    /// For a run that begins again: closes and removes the file.
    void discard();

    /// For a run that cannot go on: closes the file too, but gives it its final name only if no
    /// earlier history has that. Returns how the error goes on: where the history is, if not there.
    std::string leave();

  private:
    struct Datasets;
    Datasets& opened() const;
    std::unique_ptr<Datasets> datasets_;
};

}  // namespace beadwave::io
