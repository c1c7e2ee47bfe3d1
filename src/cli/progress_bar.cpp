#include "cli/progress_bar.hpp"

#include "cli/terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

namespace beadwave::cli {
namespace {

/// "[#####.....]  50.0 %"
std::string bar_of(double part) {
    constexpr int width = 24;
    const int full = static_cast<int>(part * width);
    return fmt::format("[{}{}] {:5.1f} %", std::string(static_cast<std::size_t>(full), '#'),
                       std::string(static_cast<std::size_t>(width - full), '.'), 100.0 * part);
}

/// The time left of a run of which this part is done.
std::string left_after(double part, double wall_seconds) {
    return time_left(part > 0.0 ? wall_seconds * (1.0 - part) / part : 0.0);
}

}  // namespace

std::string hours_text(double wall_seconds) {
    const auto whole = static_cast<long long>(wall_seconds);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string time_left(double wall_seconds) {
    return hours_text(wall_seconds) + " left";
}

std::string progress_line(std::int64_t step, std::int64_t steps, double time_step,
                          const Bodies& bodies, double wall_seconds) {
    const double part = static_cast<double>(step) / static_cast<double>(steps);
    const auto done = static_cast<double>(step);
    const double updates = done * static_cast<double>(bodies.count);
    return fmt::format("{}  t = {:.4g} s  {:.2g} {}-steps/s  {}", bar_of(part), done * time_step,
                       wall_seconds > 0.0 ? updates / wall_seconds : 0.0, bodies.name,
                       left_after(part, wall_seconds));
}

std::string sweep_line(std::size_t done, std::size_t runs, double wall_seconds) {
    const double part = static_cast<double>(done) / static_cast<double>(runs);
    return fmt::format("{}  {} of {} runs  {}", bar_of(part), done, runs,
                       left_after(part, wall_seconds));
}

std::string compare_line(double part, std::size_t laws, double wall_seconds) {
    const auto done = static_cast<std::size_t>(part * static_cast<double>(laws));
    return fmt::format("{}  {} of {} laws  {}", bar_of(part), done, laws,
                       left_after(part, wall_seconds));
}

std::string fit_line(std::int64_t runs, double wall_seconds) {
    return fmt::format("{} runs  {}", runs, hours_text(wall_seconds));
}

ProgressBar::ProgressBar(bool wanted, Line line)
    : shown_(wanted && isatty(STDERR_FILENO) == 1), line_(std::move(line)) {}

ProgressBar::ProgressBar(bool wanted, std::int64_t steps, double time_step, const Bodies& bodies)
    : ProgressBar(wanted, [=](std::int64_t step, double wall_seconds) {
          return progress_line(step, steps, time_step, bodies, wall_seconds);
      }) {}

void ProgressBar::show(std::int64_t done, double wall_seconds) {
    constexpr double interval = 0.1;
    if (!shown_ || wall_seconds - last_shown_ < interval) return;
    last_shown_ = wall_seconds;
    print_raw_to_stderr("\r\033[K" + line_(done, wall_seconds));
}

void ProgressBar::clear() {
    if (last_shown_ >= 0.0) print_raw_to_stderr("\r\033[K");
    last_shown_ = -1.0;
}

}  // namespace beadwave::cli
