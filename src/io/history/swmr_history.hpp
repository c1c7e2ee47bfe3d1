// The part of a history file that runs and checkpoints use, the same for all systems.
#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/history/resume_point.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace beadwave::io {

class HistoryWriter;

/// Whether the run is complete, or stopped and can be resumed from its last checkpoint.
enum class Run { ended, stopped };

class SwmrHistory {
  public:
    explicit SwmrHistory(std::unique_ptr<HistoryWriter> open);
    /// Closes the file as after a stopped run; does not throw.
    virtual ~SwmrHistory();
    SwmrHistory(SwmrHistory&&) noexcept;
    SwmrHistory& operator=(SwmrHistory&&) noexcept;

    /// Whether others have removed or replaced the growing file or its folder; the data
    /// written so far can still be copied.
    bool lost() const;

    /// Flushes the appended samples, for readers and in case the process is killed, if the last
    /// flush is half a second ago. Called often.
    void flush_if_due(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

    /// For a checkpoint: syncs the file to the disk and returns its state. Throws WriteError;
    /// std::runtime_error if others have removed it and no copy can be written.
    CheckpointRecord capture();
    /// Called when the record is in a checkpoint on the disk. From then on the history can be
    /// rolled back to it. Throws as capture() does.
    void log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record);
    /// For reading what was written before the samples.
    const hdf5::File& file() const;

    /// Flushes and closes the file and gives it its final name; further appends are an error.
    /// `warnings` are those of the run. Throws WriteError, also if the file is lost;
    /// std::runtime_error if others have created a file of that name; then both files are kept.
    void close(std::span<const std::string> warnings = {}, Run run = Run::stopped);

    /// For a run that restarts: closes and removes the file, unless it continues that of an earlier
    /// run.
    void discard();

    /// For a run that failed: closes the file, but gives it its final name only if no earlier
    /// history has that name. Returns the rest of the error message: where the history is, if not
    /// there.
    std::string close_incomplete();

  protected:
    HistoryWriter& opened() const;

  private:
    std::unique_ptr<HistoryWriter> open_;
};

}  // namespace beadwave::io
