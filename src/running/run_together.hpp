// Runs of several chains that step together, one per lane of a vector (dynamics/chain_lanes.hpp).
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/running/step_trials.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace beadwave::running {

/// One of them; see run_chain().
struct ChainRun {
    const chain::Chain& chain;
    Settings settings;
    StepTrial trial;
};

/// The results of the runs, the same as those of run_chain() without a store. None for a run that
/// has to be made alone, because its trial was rejected or failed; none at all if these chains
/// cannot step together, or if `stop` asked to stop.
std::vector<std::optional<Finished>> run_together(std::span<const ChainRun> runs,
                                                  const std::function<bool()>& stop);

}  // namespace beadwave::running
