// A run of a mechanism with its history and checkpoints.
#pragma once

#include "io/scenario/mechanism_reader.hpp"
#include "jobs/job.hpp"
#include "jobs/mechanism_memory.hpp"
#include "jobs/mechanism_summary.hpp"
#include "mechanism/result.hpp"

#include <string>

namespace beadwave::jobs {

struct RecordedMechanism {
    mechanism::Result result;
    double wall_seconds;
    std::string how_to_continue;  ///< "; continue with: ..." if there is a checkpoint
};

/// Like record_chain. If the request has no history file, the samples go into `memory`, unless it
/// is null.
RecordedMechanism record_mechanism(const io::ReadMechanism& read, const RunRequest& request,
                                   ProgressCallback& callback, MechanismMemory* memory);

/// The same run with a hundredth of the accuracy, or with the strictest. Writes nothing. Throws
/// InputError if the accuracy is the strictest already. Throws RunError also when the callback
/// stops it.
Stricter run_stricter(const io::ReadMechanism& read, ProgressCallback& callback);

}  // namespace beadwave::jobs
