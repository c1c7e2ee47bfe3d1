// Checkpoints: where a run stands, in an HDF5 file beside its history.
//
//     the first 512 bytes        a line of text: what it is, its format, the program's version,
//                                size and checksum
//     /parameters                scenario, files: texts, as in the history
//     /checkpoint                step, time_step, notes (see running::Attempt), model (its
//                                fingerprint, or "mechanism"), observers
//     /checkpoint/engine         the columns of Engine::state(); of a mechanism there are none
//     /checkpoint/history        name (of the file), standing (bytes, mark_at, token, before),
//                                page_numbers, pages, and where it was taken away rescued (see
//                                HistoryStanding)
//     behind what is sealed      pages of the history that were overwritten since (see
//     undo_log.hpp)
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/running/attempts.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/history/history_file.hpp"
#include "io/history/kept_history.hpp"
#include "io/history/packing_history.hpp"
#include "ranks/ranks.hpp"
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

/// The engine's state, the observers' (see Sinks::checkpoint) and how the history stands. History
/// and checkpoint are whole and on the disk before the latter replaces the one before. Throws
/// std::runtime_error when it cannot be written (disk full); the one before is untouched then.
void write_checkpoint(const Output& output, HistoryFile& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const chain::Chain& chain, dynamics::Engine& engine,
                      const std::vector<double>& observers);
void write_checkpoint(const Output& output, PackingHistory& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const packing::Packing& packing, const packing::PackingEngine& engine,
                      const std::vector<double>& observers);
/// The same of a model whose whole state is numbers. `step` is that of attempt.time_step.
void write_checkpoint(const Output& output, GrowingHistory& history,
                      const std::filesystem::path& history_path, const running::Attempt& attempt,
                      const std::string& model, std::int64_t step,
                      const std::vector<double>& numbers);

/// The same of a chain that several ranks share, by all of them together; `history` is of the first
/// rank, null elsewhere. What one throws all throw.
void write_shared_checkpoint(const Output& output, GrowingHistory* history,
                             const std::filesystem::path& history_path,
                             const running::Attempt& attempt, const chain::Chain& chain,
                             dynamics::Engine& engine, const std::vector<double>& observers);

class CheckpointFile {
  public:
    /// Opens and checks the whole file, but not its history. Throws InputError if it cannot be
    /// read, is no checkpoint, is truncated or damaged, or is of another version of the program.
    /// Several ranks do so together; null: there is one.
    explicit CheckpointFile(const std::filesystem::path& path, ranks::Ranks* ranks = nullptr);

    const std::string& scenario_text() const { return scenario_text_; }
    /// By dotted key, the texts of the files that the scenario names.
    const std::map<std::string, std::string>& file_texts() const { return file_texts_; }
    double time_step() const { return time_step_; }  ///< [s]
    /// Of the attempt that it is of.
    const std::vector<std::string>& notes() const { return notes_; }
    std::int64_t step() const { return step_; }
    /// That the run wrote, by its name beside the checkpoint, and how it stood.
    const KeptHistory& history() const { return history_; }

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
    /// The same of a packing. Throws InputError unless it is of this packing; so does its restore
    /// where the columns are not those of the engine.
    running::PackingSavedState saved_state(const packing::Packing& packing) const;

  private:
    void read_history(std::uintmax_t sealed);

    std::filesystem::path path_;
    hdf5::File file_;
    std::string scenario_text_;
    std::map<std::string, std::string> file_texts_;
    KeptHistory history_;
    double time_step_ = 0.0;
    std::int64_t step_ = 0;
    std::string model_;
    std::vector<double> observers_;
    std::vector<std::string> notes_;
};

}  // namespace beadwave::io
