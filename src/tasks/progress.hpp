// How far a run is, as others see it by its history.
#pragma once

#include "io/history/running_history.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace beadwave::tasks {

double percent(const io::Progress& progress);
/// At so many steps a second.
double seconds_left(const io::Progress& progress, double speed);

/// "running", "killed", "finished", "stopped", "absent".
const char* word_of(io::RunningHistory::State state, const std::optional<io::Progress>& progress);

/// One look; `speed` in steps a second.
nlohmann::ordered_json progress_json(const std::string& file, const char* state,
                                     const std::optional<io::Progress>& progress,
                                     std::optional<double> speed = {});

/// The history's final name, also where the growing one was named.
std::filesystem::path final_name(const std::filesystem::path& name);

/// One look at a history and at the run that may be writing it. Throws InputError where there is
/// none, std::runtime_error where it cannot be read.
nlohmann::ordered_json look(const std::filesystem::path& history);

}  // namespace beadwave::tasks
