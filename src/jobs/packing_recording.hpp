// Runs a packing and writes its history and checkpoints.
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

/// See record_chain.
RecordedPacking record_packing(const packing::Scenario& scenario, const packing::Packing& packing,
                               const running::Settings& settings, const running::StepTrial& first,
                               const RunRequest& request, ProgressCallback& callback);

}  // namespace beadwave::jobs
