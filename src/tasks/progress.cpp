#include "tasks/progress.hpp"

#include "beadwave/input_error.hpp"
#include "tasks/history_argument.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace beadwave::tasks {

using State = io::HistoryFollower::State;

double percent(const io::Progress& p) {
    return p.steps > 0 ? 100.0 * static_cast<double>(p.step) / static_cast<double>(p.steps) : 100.0;
}

double seconds_left(const io::Progress& p, double speed) {
    return static_cast<double>(p.steps - p.step) / speed;
}

const char* state_name(State state, const std::optional<io::Progress>& p) {
    switch (state) {
        case State::growing:
            return "running";
        case State::orphaned:
            return "killed";
        case State::closed:
            return p && p->step == p->steps ? "finished" : "stopped";
        case State::absent:
            break;
    }
    return "absent";
}

nlohmann::ordered_json progress_json(const std::string& file, const char* state,
                                     const std::optional<io::Progress>& p,
                                     std::optional<double> speed) {
    nlohmann::ordered_json json{{"state", state}, {"file", file}};
    if (!p) return json;
    json.update({{"step", p->step},
                 {"steps", p->steps},
                 {"time", p->time},
                 {"end", p->end},
                 {"percent", percent(*p)}});
    if (speed)
        json.update({{"steps_per_second", *speed}, {"seconds_left", seconds_left(*p, *speed)}});
    if (p->energy) {
        json["energy"] = {{"time", p->energy->time},
                          {"kinetic", p->energy->kinetic},
                          {"stored", p->energy->stored},
                          {"dissipated", p->energy->dissipated}};
    }
    if (p->peak)
        json["peak_force"] = {
            {"force", p->peak->force}, {p->peak->body, p->peak->bead}, {"time", p->peak->time}};
    return json;
}

std::filesystem::path final_name(const std::filesystem::path& name) {
    if (!io::is_running_name(name)) return name;
    return std::filesystem::path(name).replace_extension().replace_extension(".h5");
}

State first_state(io::HistoryFollower& history, const std::filesystem::path& name) {
    const State state = history.poll();
    if (state == State::absent) {
        throw InputError(
            fmt::format("{}: there is no such history, and no run writes it", name.string()));
    }
    if (state == State::closed) check_history(name.string());
    return state;
}

nlohmann::ordered_json poll(const std::filesystem::path& history) {
    const std::filesystem::path name = final_name(history);
    io::HistoryFollower running(name);
    const State state = first_state(running, name);
    const std::optional<io::Progress> progress = running.progress();
    return progress_json(running.path().string(), state_name(state, progress), progress);
}

}  // namespace beadwave::tasks
