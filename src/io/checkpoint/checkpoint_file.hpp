// Checkpoints: where a run stands, in one HDF5 file that needs no other to go on from.
//
//     the first 512 bytes        a line of text: what it is, its format, the program's version,
//                                size and checksum
//     /h5md, /particles, /observables, /parameters
//                                the history so far: the file opens and reports like any history
//     /checkpoint                step, time_step, notes (see running::Attempt), history (the
//                                history's file name), model (a chain's fingerprint, "packing" or
//                                "mechanism"), observers
//     /checkpoint/engine         the columns of Engine::state(); of a mechanism there are none
//
// The history is copied into the checkpoint, rather than cut back when the run goes on, because a
// killed process may leave its HDF5 file in the middle of a write: then nothing in it can be read.
// What that costs is writing the history so far once more at each checkpoint.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/running/attempts.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/history/continuable_history.hpp"
#include "io/history/history_file.hpp"
#include "io/history/packing_history.hpp"
#include "running/packing_simulation.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace beadwave::io {

/// OUT.h5.checkpoint.h5, beside the history OUT.h5: no two histories share one.
std::filesystem::path checkpoint_beside(const std::filesystem::path& history);

/// Throws InputError if the name of the checkpoint of `history` is too long, or if what stands
/// there may not be replaced: anything, unless forced, but a checkpoint that is writable.
void check_checkpoint_place(const Output& checkpoint, const std::filesystem::path& history);

/// The engine's state, the observers' (see Sinks::checkpoint) and the history so far. The file is
/// whole and on the disk before it replaces the one before. Throws std::runtime_error when it
/// cannot be written (disk full); the one before is untouched then.
void write_checkpoint(const Output& output, HistoryFile& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const chain::Chain& chain, dynamics::Engine& engine,
                      const std::vector<double>& observers);
void write_checkpoint(const Output& output, PackingHistory& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const packing::PackingEngine& engine, const std::vector<double>& observers);
/// The same of a model whose whole state is numbers. `step` is that of attempt.time_step.
void write_checkpoint(const Output& output, ContinuableHistory& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const std::string& model, std::int64_t step,
                      const std::vector<double>& numbers);

class CheckpointFile {
  public:
    /// Opens and checks the whole file. Throws InputError if it cannot be read, is no checkpoint,
    /// is truncated or damaged, or is of another version of the program.
    explicit CheckpointFile(const std::filesystem::path& path);

    const std::string& scenario_text() const { return scenario_text_; }
    /// By dotted key, the texts of the files that the scenario names.
    const std::map<std::string, std::string>& file_texts() const { return file_texts_; }
    double time_step() const { return time_step_; }  ///< [s]
    /// Of the attempt that it is of.
    const std::vector<std::string>& notes() const { return notes_; }
    std::int64_t step() const { return step_; }
    /// Where the run wrote its history, now beside the checkpoint.
    const std::filesystem::path& history_path() const { return history_path_; }
    /// The history so far.
    const hdf5::File& file() const { return file_; }

    /// What observers, or a model whose whole state is numbers, remember.
    const std::vector<double>& numbers() const { return observers_; }
    /// Throws InputError unless it is of a `model`.
    void check_model(const std::string& model) const;
    /// Throws InputError: the state is none that this program can go on from.
    [[noreturn]] void of_another_build(const std::string& why) const;

    /// Throws InputError unless it is of this chain and the columns are those of this engine.
    void check_fits(const chain::Chain& chain, dynamics::Engine& engine) const;

    /// The checkpoint must outlive it.
    running::SavedState saved_state() const;
    /// The same of a packing. Its restore throws InputError where the columns are not those of the
    /// engine.
    running::PackingSavedState packing_saved_state() const;

  private:
    std::filesystem::path path_;
    hdf5::File file_;
    std::string scenario_text_;
    std::map<std::string, std::string> file_texts_;
    std::filesystem::path history_path_;
    double time_step_ = 0.0;
    std::int64_t step_ = 0;
    std::string model_;
    std::vector<double> observers_;
    std::vector<std::string> notes_;
};

}  // namespace beadwave::io
