// A mechanism's run with what it writes: history and checkpoints.
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

/// As record_chain; where the request names no history, into `memory`, if it is not null.
RecordedMechanism record_mechanism(const io::ReadMechanism& read, const Request& request,
                                   Watcher& watcher, MechanismMemory* memory);

/// The same with a hundredth of the accuracy, or with the strictest that there is; writes nothing.
/// Throws InputError if it is the strictest already, RunError also when the watcher stops it.
Stricter run_stricter(const io::ReadMechanism& read, Watcher& watcher);

}  // namespace beadwave::jobs
