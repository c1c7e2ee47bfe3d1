// Whether the disk can hold a run's history, before it starts.
#pragma once

#include "io/files/room.hpp"
#include "jobs/job.hpp"

#include <filesystem>

namespace beadwave::jobs {

/// Tells the watcher of a large history. Throws InputError, taking away what was begun of it, if
/// the disk cannot hold its `bytes`, and with `checkpoints` two copies of it, unless `force`.
template <typename History>
void check_history_room(History& begun, double bytes, bool checkpoints, bool force,
                        const std::filesystem::path& output, Watcher& watcher) {
    try {
        const std::string sizes = io::check_room(
            output, checkpoints ? "the history, with two checkpoints," : "the history",
            checkpoints ? 3.0 * bytes : bytes,
            "sample less often (sensors.interval, snapshots.interval, energy.interval), end sooner "
            "(time.end)",
            force);
        if (!sizes.empty()) watcher.say(sizes);
    } catch (...) {
        begun.discard();
        throw;
    }
}

}  // namespace beadwave::jobs
