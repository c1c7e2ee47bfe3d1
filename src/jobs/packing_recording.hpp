// A packing's run with what it writes: history and checkpoints.
#pragma once

#include "jobs/job.hpp"
#include "packing/scenario.hpp"
#include "running/packing_simulation.hpp"

#include <string>

namespace beadwave::jobs {

struct RecordedPacking {
    running::PackingFinished finished;
    std::string how_to_continue;  ///< "; continue with: ..." if there is a checkpoint
};

/// As record_chain.
RecordedPacking record_packing(const packing::Scenario& scenario, const packing::Packing& packing,
                               const running::Settings& settings, const running::Attempt& first,
                               const Request& request, Watcher& watcher);

}  // namespace beadwave::jobs
