#include "progress_bar.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace beadwave::cli {

std::string progress_line(std::int64_t step, std::int64_t steps, double time_step, std::size_t beads,
                          double wall_seconds) {
    constexpr int width = 24;
    const double part = static_cast<double>(step) / static_cast<double>(steps);
    const int full = static_cast<int>(part * width);
    const double done = static_cast<double>(step);
    const double rate = wall_seconds > 0.0 ? done * static_cast<double>(beads) / wall_seconds : 0.0;
    const auto left = static_cast<long long>(step > 0 ? wall_seconds * (1.0 - part) / part : 0.0);
    return fmt::format("[{}{}] {:5.1f} %  t = {:.4g} s  {:.2g} bead-steps/s  {}:{:02}:{:02} left",
                       std::string(static_cast<std::size_t>(full), '#'),
                       std::string(static_cast<std::size_t>(width - full), '.'), 100.0 * part,
                       done * time_step, rate, left / 3600, left / 60 % 60, left % 60);
}

ProgressBar::ProgressBar(bool wanted, std::int64_t steps, double time_step, std::size_t beads)
    : shown_(wanted && isatty(STDERR_FILENO) == 1), steps_(steps), time_step_(time_step), beads_(beads) {}

void ProgressBar::show(std::int64_t step, double wall_seconds) {
    constexpr double interval = 0.1;
    if (!shown_ || wall_seconds - last_shown_ < interval) return;
    last_shown_ = wall_seconds;
    fmt::print(stderr, "\r\033[K{}", progress_line(step, steps_, time_step_, beads_, wall_seconds));
    std::fflush(stderr);
}

void ProgressBar::clear() {
    if (last_shown_ >= 0.0) fmt::print(stderr, "\r\033[K");
    last_shown_ = -1.0;
}

}  // namespace beadwave::cli
