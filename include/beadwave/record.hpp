// Runs a chain and writes its history and checkpoints to files, for programs that make their chain
// from arrays. `beadwave run` writes the same files.
//
//     running::Settings settings{.end = 1e-3, .sensors = {10, 20}};
//     const auto finished = beadwave::record(chain, settings, {.history = "out.h5"});
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/running/step_trials.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace beadwave {

struct RecordOptions {
    std::filesystem::path history;  ///< HDF5; docs/HISTORY.md describes it
    int threads = 0;                ///< 0: all processors
    std::string law{};              ///< name of the law, recorded in the history
    std::optional<double>
        checkpoint_interval{};       ///< of simulated time [s]; no value: no checkpoints
    bool overwrite = false;          ///< replace a file at `history` that is no history of beadwave
    bool ignore_disk_space = false;  ///< start although the disk cannot hold the history
    std::function<bool()> stop{};    ///< asked between blocks of steps; true ends the run early
};

/// Runs from the start to settings.end. Throws ArgumentError or stepping::StepError if the
/// arguments are wrong, InputError if the history cannot be written to its path, running::RunError
/// if the run fails.
running::Finished record(const chain::Chain& chain, const running::Settings& settings,
                         const RecordOptions& options);

/// Continues from a checkpoint of the same chain and settings. History and result are bitwise those
/// of the uninterrupted run. Throws as record() does, and InputError for a checkpoint of another
/// chain or time step.
running::Finished resume(const std::filesystem::path& checkpoint, const chain::Chain& chain,
                         const running::Settings& settings, const RecordOptions& options);

}  // namespace beadwave
