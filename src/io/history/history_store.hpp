// The history of a run, written during the run: HDF5 in the H5MD 1.1 format, for any system. Until
// it is closed it has a name of its own and can be followed: see history_follower.hpp.
#pragma once

#include "io/durable/resume_point.hpp"
#include "io/files/output_path.hpp"
#include "io/hdf5/hdf5.hpp"
#include "recording/store.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::io {

/// The content of the group /parameters.
struct RunDescription {
    std::string scenario_text{};
    std::string law{};
    double time_step = 0.0;  ///< [s]; of a mechanism: the sampling interval
    int threads = 1;
    std::map<std::string, std::string>
        file_texts{};              ///< of the files that the scenario names, by dotted key
    std::string time_step_rule{};  ///< what limited it: stepping::name_of()
    std::int64_t steps = 0;        ///< of the whole run; of a mechanism: its samples
};

/// Whether the run is complete, or stopped and can be resumed from its last checkpoint.
enum class Run { ended, stopped };

class HistoryStore : public recording::Store {
  public:
    /// Creates the file and writes everything that does not change. close() replaces an earlier
    /// history of this name. Throws InputError, without changing an existing file, if the folder is
    /// missing or not writable, or if the path is a folder or a file other than a history;
    /// std::runtime_error if another process is writing this history.
    HistoryStore(const Output& output, recording::Description description,
                 const RunDescription& run);
    /// Continues from a checkpoint; otherwise as above.
    HistoryStore(const Output& output, recording::Description description,
                 const ResumePoint& earlier);
    /// Does what close_incomplete() does: only close() replaces an earlier history. Does not throw.
    ~HistoryStore() override;
    HistoryStore(const HistoryStore&) = delete;
    HistoryStore& operator=(const HistoryStore&) = delete;

    // These throw WriteError if the file cannot be written (disk full). The file remains readable,
    // as last flushed, and accepts no more samples. It gets its final name only if no earlier
    // history has that name.

    void sample(recording::Pace pace, std::int64_t step, double time) override;
    bool samples(recording::Pace pace, std::span<const std::int64_t> steps,
                 std::span<const double> times) override;
    void append_rows(std::size_t table) override;

    /// Size of the expected samples in the file [bytes].
    double expected_bytes() const;

    /// Whether others have removed or replaced the growing file or its folder; the data written so
    /// far can still be copied.
    bool lost() const;
    /// Flushes the samples, for readers and in case the process is killed, if the last flush is
    /// half a second ago. Called often.
    void flush_if_due(std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now());

    /// Syncs the file to the disk and returns its state, for a checkpoint. Throws WriteError;
    /// std::runtime_error if others have removed it and no copy can be written.
    CheckpointRecord capture();
    /// Called when the record is in a checkpoint on the disk. From then on the history can be
    /// rolled back to it. Throws as capture() does.
    void log_to(const std::filesystem::path& checkpoint, const CheckpointRecord& record);
    /// The file, for reading what was written before the samples.
    const hdf5::File& file() const;

    /// Flushes and closes the file and gives it its final name; further samples are an error.
    /// `warnings` are those of the run. Throws WriteError, also if the file is lost;
    /// std::runtime_error if others have created a file of that name; then both files are kept.
    void close(std::span<const std::string> warnings = {}, Run run = Run::stopped);
    /// For a run that restarts: closes and removes the file, unless it continues that of an earlier
    /// run.
    void discard();
    /// For a run that failed: closes the file, but gives it its final name only if no earlier
    /// history has that name. Returns the rest of the error message: where the history is, if not
    /// there. Does not throw.
    std::string close_incomplete();

    // For a system that is distributed over ranks (shared_history_store.hpp): reserves the places
    // of one sample of a shared stream or table, by channel or column. Each rank writes its own
    // part there. Then the sample is committed, or rolled back if a rank could not write.
    struct Shared {
        std::size_t number;  ///< of the stream or table
        bool table = false;
        std::size_t rows = 0;  ///< that the table gets
    };
    std::vector<hdf5::RowPlaces> reserve(const Shared& of);
    void commit(const Shared& of, std::int64_t step, double time);
    void roll_back(const Shared& of);
    /// Places of the shared constants, in their order.
    std::vector<std::int64_t> constant_places() const;
    std::filesystem::path growing_path() const;

  private:
    struct Open;
    Open& opened() const;

    std::unique_ptr<Open> open_;
};

}  // namespace beadwave::io
