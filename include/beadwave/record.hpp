// Runs a system and writes its history and checkpoints to files, for programs of one's own: a chain
// made from arrays, or any scenario (chain, packing, mechanism) as text. `beadwave run` writes the
// same files.
//
//     running::Settings settings{.end = 1e-3, .sensors = {10, 20}};
//     const auto finished = beadwave::record(chain, settings, {.history = "out.h5"});
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/settings.hpp"
#include "beadwave/running/step_trials.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave {

struct RecordOptions {
    std::filesystem::path history;  ///< HDF5; docs/HISTORY.md describes it
    int threads = 0;                ///< 0: all processors
    std::string law{};              ///< name of the law, recorded in the history
    std::optional<double>
        checkpoint_interval{};       ///< of simulated time [s]; no value: no checkpoints
    bool overwrite = false;          ///< replace a file at `history` that is no history of beadwave
    bool ignore_disk_space = false;  ///< start although the disk cannot hold the history
    bool accept_long_run = false;  ///< start although the run takes more than a month at the least
    std::function<bool()> stop{};  ///< asked between blocks of steps; true ends the run early
};

/// Runs from the start to settings.end. Throws ArgumentError or stepping::StepError if the
/// arguments are wrong, InputError if the history cannot be written to its path, running::RunError
/// if the run fails.
running::Finished record(const chain::Chain& chain, const running::Settings& settings,
                         const RecordOptions& options);

/// A scenario as `beadwave run` reads it from a file.
struct ScenarioText {
    std::string toml;
    /// The texts of the files that it names, by dotted key. A packing from arrays names a file of
    /// particles, such as {"particles.0.file", "x_m,y_m,z_m,radius_m\n0,0,0,1e-3\n..."}; docs/
    /// SCENARIO.md has the columns. Empty: its files are read, from the current folder.
    std::map<std::string, std::string> files{};
};

/// What a run of a scenario reports.
struct ScenarioRun {
    std::string summary;  ///< the JSON object of `beadwave run --json`
    std::vector<std::string> warnings;
    std::string stopped;  ///< "interrupted at ..." if options.stop ended the run, otherwise empty
};

/// Runs a scenario of any system to its end. Its own [checkpoint] decides about checkpoints; the
/// options `law` and `checkpoint_interval` are for chains made from arrays, and refused here.
/// Throws InputError, running::RunError.
ScenarioRun record(const ScenarioText& scenario, const RecordOptions& options);

/// Continues such a run from its checkpoint, which holds the scenario. The history is continued
/// where it was, or at options.history. Throws as record() does.
ScenarioRun resume(const std::filesystem::path& checkpoint, const RecordOptions& options);

/// Continues from a checkpoint of the same chain and settings. History and result are bitwise those
/// of the uninterrupted run. Throws as record() does, and InputError for a checkpoint of another
/// chain or time step.
running::Finished resume(const std::filesystem::path& checkpoint, const chain::Chain& chain,
                         const running::Settings& settings, const RecordOptions& options);

}  // namespace beadwave
