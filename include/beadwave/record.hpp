// Running a chain with its history and checkpoints in files, for programs that make their chain
// from arrays: the same files that `beadwave run` writes.
//
//     running::Settings settings{.end = 1e-3, .sensors = {10, 20}};
//     const auto finished = beadwave::record(chain, settings, {.history = "out.h5"});
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/attempts.hpp"
#include "beadwave/running/settings.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace beadwave {

struct RecordOptions {
    std::filesystem::path history;                ///< HDF5; docs/HISTORY.md says what it holds
    int threads = 0;                              ///< 0: as many as there are
    std::string law{};                            ///< its name, for those who read the history
    std::optional<double> checkpoint_interval{};  ///< of simulated time [s]; else none
    bool force = false;            ///< begin although the disk cannot hold the history, or another
                                   ///< file than a history stands there
    std::function<bool()> stop{};  ///< asked between blocks of steps; true ends the run early
};

/// Runs from the start to settings.end. Throws ArgumentError or dynamics::StepError for a run that
/// cannot be made, InputError if the history cannot stand where it should, running::RunError if
/// the run fails.
running::Finished record(const chain::Chain& chain, const running::Settings& settings,
                         const RecordOptions& options);

/// Goes on from a checkpoint of the same chain and settings: history and result are those of the
/// uninterrupted run to the bit. Throws as record() does, and InputError for a checkpoint of
/// another chain or step.
running::Finished resume(const std::filesystem::path& checkpoint, const chain::Chain& chain,
                         const running::Settings& settings, const RecordOptions& options);

}  // namespace beadwave
