// A run from its first step, or from a checkpoint, to its end: what `run` and `resume` share.
#pragma once

#include "beadwave/running/attempts.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/scenario/scenario_reader.hpp"

#include <filesystem>

namespace beadwave::cli {

struct WholeRun {
    const io::ReadScenario& read;
    const chain::Chain& chain;
    running::Attempt first;
    std::filesystem::path output;      ///< the history
    const io::CheckpointFile* from;    ///< null: from the start
    std::filesystem::path checkpoint;  ///< that it goes on from; empty: none
    int threads;                       ///< 0: as many as there are
    bool quiet, json;
    bool check;  ///< run again at half the step, and say by how much the numbers differ
};

/// Runs, prints the summary, removes the checkpoint; returns the exit status. Throws InputError,
/// leaving what was there untouched, if the history cannot stand there; RunError, which after an
/// interruption names the command that continues.
int carry_out(const WholeRun& run);

}  // namespace beadwave::cli
