// The progress of a run, read from its history.
#pragma once

#include "io/history/history_follower.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace beadwave::tasks {

double percent(const io::Progress& progress);
/// `speed`: steps per second.
double seconds_left(const io::Progress& progress, double speed);

/// "running", "killed", "finished", "stopped", "absent".
const char* state_name(io::HistoryFollower::State state,
                       const std::optional<io::Progress>& progress);

/// The progress as JSON. `speed`: steps per second.
nlohmann::ordered_json progress_json(const std::string& file, const char* state,
                                     const std::optional<io::Progress>& progress,
                                     std::optional<double> speed = {});

/// The final name of a history; `name` may also be the name of the running one.
std::filesystem::path final_name(const std::filesystem::path& name);

/// The state of the history `name` when it is first looked at. Throws InputError if there is none.
io::HistoryFollower::State first_state(io::HistoryFollower& history,
                                       const std::filesystem::path& name);

/// The present progress of the run that writes, or wrote, a history. Throws InputError if there is
/// no such history, std::runtime_error if it cannot be read.
nlohmann::ordered_json poll(const std::filesystem::path& history);

}  // namespace beadwave::tasks
