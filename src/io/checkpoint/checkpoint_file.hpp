// Checkpoints: the state of a run, in an HDF5 file in the folder of its history.
//
//     the first 512 bytes        the checksum header, a line of text: format, version of the
//     program,
//                                size and checksum
//     /parameters                scenario, files: texts, as in the history
//     /checkpoint                step, time_step, warnings (see running::StepTrial), system (its
//                                fingerprint, or "mechanism"), observers
//     /checkpoint/engine         the columns of System::state(); a mechanism has none
//     /checkpoint/history        name (of the file), state (bytes, token_at, token, before),
//                                page_numbers, pages, and, if others removed the history, rescued
//                                (see CheckpointRecord)
//     after the covered bytes    pages of the history that were overwritten since (see
//                                undo_log.hpp)
#pragma once

#include "beadwave/running/step_trials.hpp"
#include "io/durable/resume_point.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/history/history_store.hpp"
#include "ranks/communicator.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace beadwave::io {

/// OUT.h5.checkpoint.h5, in the folder of the history OUT.h5. Each history has its own.
std::filesystem::path checkpoint_path(const std::filesystem::path& history);

/// Throws InputError if the name of the checkpoint of `history` is too long, or if a file of this
/// name may not be replaced: without Output::overwrite only a writable checkpoint may.
void check_checkpoint_place(const Output& checkpoint, const std::filesystem::path& history);

/// The state of a run.
struct RunState {
    std::string system;  ///< its fingerprint, see text_of(), or "mechanism"
    std::int64_t step;   ///< counts running::StepTrial::time_step
    std::vector<running::SavedColumn> columns{};
    std::vector<double> observers{};  ///< or the whole state, if that is a list of numbers
};

/// A fingerprint as text.
std::string text_of(std::uint64_t fingerprint);

/// Writes the state of a run and of its history. Both files are complete and on the disk before the
/// new checkpoint replaces the previous one. Throws std::runtime_error if it cannot be written
/// (disk full); then the previous one is unchanged. Collective over `ranks`, each of which writes
/// its part of the columns; `history` is that of the first rank and null on the others. Null ranks:
/// there is one process.
void write_checkpoint(const Output& output, HistoryStore* history,
                      const std::filesystem::path& history_path, const running::StepTrial& trial,
                      const RunState& state, ranks::Communicator* ranks = nullptr);

class CheckpointFile {
  public:
    /// Opens and checks the whole file, but not its history. Throws InputError if it cannot be
    /// read, is no checkpoint, is truncated or damaged, or was written by another version of the
    /// program. Collective over `ranks`; null: there is one process.
    explicit CheckpointFile(const std::filesystem::path& path,
                            ranks::Communicator* ranks = nullptr);

    const std::string& scenario_text() const { return scenario_text_; }
    /// The texts of the files that the scenario names, by dotted key.
    const std::map<std::string, std::string>& file_texts() const { return file_texts_; }
    double time_step() const { return time_step_; }  ///< [s]
    /// The warnings of the step trial that the checkpoint is of.
    const std::vector<std::string>& warnings() const { return warnings_; }
    std::int64_t step() const { return step_; }
    /// The history of the run, in the folder of the checkpoint, and its state.
    const ResumePoint& history() const { return history_; }

    /// The state of the observers, or of a system whose whole state is a list of numbers.
    const std::vector<double>& numbers() const { return observers_; }
    /// Throws InputError unless it is a checkpoint of this `system`.
    void check_system(const std::string& system) const;
    /// Throws InputError: this program cannot continue from the state.
    [[noreturn]] void refuse_other_build(const std::string& why) const;

    /// Throws InputError: the state is too short, too long or no state at all.
    [[noreturn]] void refuse_damaged(const std::string& why) const;

    /// Its restore() throws InputError unless it is a checkpoint of that system, with the columns
    /// of its engine. The checkpoint must outlive the result.
    running::SavedState saved_state() const;

  private:
    void read_history(std::uintmax_t covered);

    std::filesystem::path path_;
    hdf5::File file_;
    std::string scenario_text_;
    std::map<std::string, std::string> file_texts_;
    ResumePoint history_;
    double time_step_ = 0.0;
    std::int64_t step_ = 0;
    std::string system_;
    std::vector<double> observers_;
    std::vector<std::string> warnings_;
};

}  // namespace beadwave::io
