#include "jobs/checkpoints.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace beadwave::jobs {
namespace {

/// The word, quoted for a shell if necessary.
std::string quoted(const std::string& word) {
    if (word.find_first_of(" \t\n'\"\\$`&|;<>()*?[]#~!{}") == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string continue_with(const std::filesystem::path& checkpoint) {
    return fmt::format("; continue with: beadwave resume {}", quoted(checkpoint.string()));
}

std::string interrupted(double time, double end, const std::filesystem::path& history,
                        const std::string& how_to_continue) {
    const std::string where = fmt::format("interrupted at t = {:.6g} s of {:.6g} s", time, end);
    if (history.empty()) return where;
    return fmt::format("{}; {} holds the history up to there{}", where, history.string(),
                       how_to_continue);
}

Checkpoints::Checkpoints(const std::optional<scenario::Checkpoints>& wanted,
                         const io::Output& history, const std::filesystem::path& resumed_from,
                         std::string options)
    : history_(history),
      place_(io::checkpoint_path(history.path), history.overwrite),
      options_(std::move(options)),
      last_(resumed_from),
      wanted_(wanted) {
    io::check_checkpoint_place(place_, history.path);
}

void Checkpoints::begin(const running::StepTrial& trial, std::int64_t first) {
    trial_ = trial;
    written_ = Clock::now();
    schedule_.reset();
    if (!wanted_ || !wanted_->interval) return;
    schedule_.emplace(*wanted_->interval, trial.time_step.step);
    schedule_->done(first);
}

bool Checkpoints::due(std::int64_t step) {
    if (schedule_ && schedule_->due(step)) {
        schedule_->done(step);
        return true;
    }
    return wanted_ && wanted_->wall_interval &&
           std::chrono::duration<double>(Clock::now() - written_).count() >=
               *wanted_->wall_interval;
}

void Checkpoints::write(io::HistoryStore& history, std::int64_t step,
                        const std::function<void(const io::Output& place)>& write) {
    try {
        std::error_code ignored;
        std::filesystem::create_directories(io::folder_of(place_.path), ignored);
        write(place_);
    } catch (const std::exception& error) {
        throw running::RunError(
            fmt::format("stopped at t = {:.6g} s: no checkpoint could be written: {}{}",
                        static_cast<double>(step) * trial_.time_step.step,
                        error.what() + history.close_incomplete(), how_to_continue()));
    }
    last_ = place_.path;
    written_ = Clock::now();  // after the write, so that a slow disk does not dominate the run
}

void Checkpoints::remove() {
    std::error_code ignored;
    if (last_.empty() || !std::filesystem::equivalent(last_, place_.path, ignored)) return;
    std::filesystem::remove(place_.path, ignored);
}

std::string Checkpoints::how_to_continue() const {
    return last_.empty() ? "" : continue_with(last_) + options_;
}

}  // namespace beadwave::jobs
