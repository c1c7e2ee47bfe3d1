// Whether the disk can hold a run's history, before it starts.
#pragma once

#include "io/files/room.hpp"
#include "io/history/growing_history.hpp"
#include "jobs/job.hpp"

#include <filesystem>

namespace beadwave::jobs {

/// Tells the watcher of a large history. Throws InputError, taking away what was begun of it, if
/// the disk cannot hold its `bytes`, unless `force`.
inline void check_history_room(io::GrowingHistory& begun, double bytes, bool force,
                               const std::filesystem::path& output, Watcher& watcher) {
    try {
        const std::string sizes = io::check_room(
            output, "the history", bytes,
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
