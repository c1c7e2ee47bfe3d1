// A chain's run with what it writes: history and checkpoints.
#pragma once

#include "beadwave/running/attempts.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "jobs/job.hpp"
#include "scenario/common.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace beadwave::jobs {

struct ChainRecording {
    io::Output output;  ///< the history
    /// What stands under /parameters of the history: the scenario's text and that of the files it
    /// names, the law's name; empty for a chain made from arrays.
    std::string scenario_text{}, law{};
    std::map<std::string, std::string> file_texts{};
    std::optional<scenario::Checkpoints> checkpoints{};
    const io::CheckpointFile* from = nullptr;  ///< null: from the start
    std::filesystem::path checkpoint{};        ///< that it goes on from; empty: none

    /// Of the history that an attempt writes on so many threads.
    io::RunDescription description(const running::Attempt& attempt, int threads) const;
};

/// How the run ended, and how to go on with it.
struct Recorded {
    running::Finished finished;
    std::string how_to_continue;  ///< "; continue with: ..." if there is a checkpoint
};

/// Sinks for what one process writes, shared chain or not: what sensors see, the ledger, and how
/// far the run is.
running::Sinks samples_to(io::HistoryFile& file, const running::Settings& settings,
                          Watcher& watcher);

/// Runs from `first` to the end, the watcher hearing each attempt's notes, and removes the
/// checkpoint of a run that came to its end. Throws InputError, leaving what was there untouched,
/// if the history cannot stand there; running::RunError.
Recorded record_chain(const chain::Chain& chain, const running::Settings& settings,
                      const running::Attempt& first, int threads, const ChainRecording& recording,
                      Watcher& watcher);

/// The same of a chain that several ranks share; rank 0 writes.
Recorded record_shared_chain(const chain::Chain& chain, const running::Settings& settings,
                             const running::Attempt& first, int threads,
                             const ChainRecording& recording, Watcher& watcher);

/// The attempt that a checkpoint is of, where `chosen` is the step that its chain gets. Throws
/// InputError if it is of another step.
running::Attempt attempt_of(const io::CheckpointFile& checkpoint, const dynamics::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name);

}  // namespace beadwave::jobs
