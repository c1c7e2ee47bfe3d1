// A history seen from outside, while its run goes on and after: where it stands, and how far it is.
//
// OUT.h5 grows as OUT.running.h5, which its run holds locked, and takes its name at the end. It is
// written for HDF5's single writer and many readers (SWMR): a reader finds whole rows, as many as
// the shortest dataset of an element has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace beadwave::io {

/// OUT.running.h5, beside the history OUT.h5 or, if that is a symbolic link, beside what it leads
/// to.
std::filesystem::path running_beside(const std::filesystem::path& history);
bool is_running_name(const std::filesystem::path& path);

struct Progress {
    std::int64_t step, steps;  ///< of the last sample of any kind; of the whole run
    double time, end;          ///< the same in s
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
        peak;  ///< the largest force of all samples of all sensors, or of a mechanism's contacts
};

/// Follows one history by its final name.
class RunningHistory {
  public:
    explicit RunningHistory(const std::filesystem::path& history);
    ~RunningHistory();
    RunningHistory(const RunningHistory&) = delete;
    RunningHistory& operator=(const RunningHistory&) = delete;

    enum class State {
        absent,  ///< neither a growing history nor one that is closed
        grows,   ///< a run is writing it
        left,    ///< it stopped growing without being closed: its process was killed
        closed   ///< nobody is writing it; its run finished, was interrupted or failed
    };
    /// Looks which. Once one has been seen to grow it is that one which is followed.
    State look();

    /// Where the history stands now: the one seen last.
    const std::filesystem::path& path() const;

    /// How far it is; nothing while it holds no sample, or while its run is only just making it.
    /// Throws InputError if it is no history, std::runtime_error if it cannot be read.
    std::optional<Progress> progress();

  private:
    struct Seen;
    std::unique_ptr<Seen> seen_;
};

}  // namespace beadwave::io
