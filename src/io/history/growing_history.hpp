// What a run and its checkpoints ask of a history, whatever it is of.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/kept_history.hpp"

#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::io {

class OpenHistory;

/// Whether a run can go on from its last checkpoint.
enum class Run { ended, stopped };

class GrowingHistory {
  public:
    explicit GrowingHistory(std::unique_ptr<OpenHistory> open);
    /// Closes, as after a run that was stopped, without throwing.
    virtual ~GrowingHistory();
    GrowingHistory(GrowingHistory&&) noexcept;
    GrowingHistory& operator=(GrowingHistory&&) noexcept;

    /// Whether others have removed the growing file, or its folder, or put another in its place;
    /// looked for twice a second. What was written stays, and can still be copied.
    bool lost() const;

    /// Flushes what was appended, for those who look on and in case the process is killed, if the
    /// last time is half a second ago. To be called often.
    void keep_current();

    /// For a checkpoint: the file, on the disk, and how it stands. Throws WriteError;
    /// std::runtime_error where others have taken it away and no copy can be written.
    HistoryStanding stand();
    /// Once that is in a checkpoint, on the disk: from then on it can be put back. Throws the same.
    void follow(const std::filesystem::path& checkpoint, const HistoryStanding& standing);
    /// To read what was written before the samples.
    const hdf5::File& file() const;

    /// Flushes, closes and gives the file its final name; further appends are an error. `notes` is
    /// what gives reason to doubt the run. Throws WriteError, also if the file is lost;
    /// std::runtime_error, and leaves it beside its name, if others have put a file there.
    void close(std::span<const std::string> notes = {}, Run run = Run::stopped);

    /// For a run that begins again: closes and removes the file, unless an earlier run began it.
    void discard();

    /// For a run that cannot go on: closes the file too, but gives it its final name only if no
    /// earlier history has that. Returns how the error goes on: where the history is, if not there.
    std::string leave();

  protected:
    OpenHistory& opened() const;

  private:
    std::unique_ptr<OpenHistory> open_;
};

}  // namespace beadwave::io
