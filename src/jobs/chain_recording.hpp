// The run of a chain with its files: history and checkpoints.
#pragma once

#include "beadwave/running/step_trials.hpp"
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
    /// Contents of /parameters in the history: the text of the scenario, the name of the law, the
    /// texts of the files that the scenario names; empty for a chain made from arrays.
    std::string scenario_text{}, law{};
    std::map<std::string, std::string> file_texts{};
    std::optional<scenario::Checkpoints> checkpoints{};
    const io::CheckpointFile* from = nullptr;  ///< null: from the start
    std::filesystem::path checkpoint{};        ///< path of `from`; empty: none

    /// The description in the history of a trial on `threads` threads.
    io::RunDescription description(const running::StepTrial& trial, int threads) const;
};

/// How the run ended, and how to continue it.
struct Recorded {
    running::Finished finished;
    std::string how_to_continue;  ///< "; continue with: ..." if there is a checkpoint
};

/// Sinks for the data that one process writes, also for a shared chain: sensors, ledger, progress.
running::Sinks samples_to(io::HistoryFile& file, const running::Settings& settings,
                          ProgressCallback& callback);

/// Runs from the trial `first` to the end, passes the warnings of each trial to the callback, and
/// removes the checkpoint when the run is complete. Throws InputError if the history cannot be
/// written to its path (an existing file is then not changed); running::RunError.
Recorded record_chain(const chain::Chain& chain, const running::Settings& settings,
                      const running::StepTrial& first, int threads, const ChainRecording& recording,
                      ProgressCallback& callback);

/// The same for a chain that several ranks share; rank 0 writes.
Recorded record_shared_chain(const chain::Chain& chain, const running::Settings& settings,
                             const running::StepTrial& first, int threads,
                             const ChainRecording& recording, ProgressCallback& callback);

/// The trial of a checkpoint; `chosen` is the time step that its chain gets. Throws InputError if
/// the checkpoint has another time step.
running::StepTrial trial_of(const io::CheckpointFile& checkpoint, const dynamics::TimeStep& chosen,
                            const running::Settings& settings, const std::string& name);

}  // namespace beadwave::jobs
