// A run from its first step, or from a checkpoint, to its end: what `run` and `resume` share.
#pragma once

#include "beadwave/io/history_file.hpp"
#include "beadwave/io/scenario_reader.hpp"
#include "beadwave/observers/simulation.hpp"
#include "checkpoints.hpp"

#include <filesystem>

namespace beadwave::cli {

struct WholeRun {
    const io::ReadScenario& read;
    const chain::Chain& chain;
    const dynamics::TimeStep& time_step;
    dynamics::Engine& engine;
    io::HistoryFile& history;
    std::filesystem::path output;  ///< the history
    Checkpoints& checkpoints;
    const observers::Standing* from;  ///< null: from the start
    bool quiet, json;
};

/// Sensors' beads, none if there are no sensors.
std::vector<std::int64_t> sensor_beads(const chain::Scenario& scenario);

/// Runs, prints the summary, removes the checkpoint. Throws RunError; after an interruption it
/// names the command that continues.
int carry_out(const WholeRun& run);

}  // namespace beadwave::cli
