// Follows a history from outside, during its run and after: its path, and how far the run is.
//
// OUT.h5 is written as OUT.running.h5, which its run keeps locked, and gets its final name at the
// end. It is written with HDF5's single-writer, multiple-reader mode (SWMR). A reader finds
// complete rows, as many as the shortest dataset of an element has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace beadwave::io {

/// OUT.running.h5, in the folder of the history OUT.h5 or, if that is a symbolic link, in the
/// folder of its target.
std::filesystem::path running_path(const std::filesystem::path& history);
bool is_running_name(const std::filesystem::path& path);

struct Progress {
    std::int64_t step, steps;  ///< of the last sample of any kind; of the whole run
    double time, end;          ///< of the last sample; of the end of the run [s]
    struct Energy {
        double time;                         ///< [s]
        double kinetic, stored, dissipated;  ///< [J]
    };
    std::optional<Energy> energy;  ///< the last entry of the ledger
    struct Peak {
        double force;  ///< [N]
        std::int64_t bead;
        const char* body;  ///< "bead", "particle" or "contact"
        double time;       ///< [s]
    };
    std::optional<Peak>
        peak;  ///< the largest force in all samples of all sensors, or of a mechanism's contacts
};

/// Follows one history, given by its final name.
class HistoryFollower {
  public:
    explicit HistoryFollower(const std::filesystem::path& history);
    ~HistoryFollower();
    HistoryFollower(const HistoryFollower&) = delete;
    HistoryFollower& operator=(const HistoryFollower&) = delete;

    enum class State {
        absent,    ///< neither a growing nor a closed history exists
        growing,   ///< a run is writing it
        orphaned,  ///< it was not closed and has no writer: its process was killed
        closed     ///< it is closed: its run finished, was interrupted or failed
    };
    /// Checks the state now. Once a growing history was found, only that one is followed.
    State poll();

    /// The current path of the history, as of the last poll().
    const std::filesystem::path& path() const;

    /// How far the run is; no value while the history has no sample, or while it is just being
    /// created. Throws InputError if the file is no history or of another format version,
    /// std::runtime_error if it cannot be read.
    std::optional<Progress> progress();

  private:
    struct Followed;
    std::unique_ptr<Followed> followed_;
};

}  // namespace beadwave::io
