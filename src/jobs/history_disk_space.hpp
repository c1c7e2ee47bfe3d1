// Checks before a run whether the disk can hold its history.
#pragma once

#include "io/files/disk_space.hpp"
#include "io/files/output_path.hpp"
#include "io/history/swmr_history.hpp"
#include "jobs/job.hpp"

namespace beadwave::jobs {

/// Warns of a large history. Throws InputError and discards the history that was begun if the disk
/// cannot hold its `bytes`, unless output.ignore_disk_space is set.
inline void check_history_disk_space(io::SwmrHistory& begun, double bytes, const io::Output& output,
                                     ProgressCallback& callback) {
    try {
        const std::string sizes = io::check_disk_space(
            output.path, "the history", bytes,
            "sample less often (sensors.interval, snapshots.interval, energy.interval), end sooner "
            "(time.end)",
            output.ignore_disk_space);
        if (!sizes.empty()) callback.warn(sizes);
    } catch (...) {
        begun.discard();
        throw;
    }
}

}  // namespace beadwave::jobs
