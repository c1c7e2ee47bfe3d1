// The progress line on a terminal; silent where standard error is not one.
#pragma once

#include <cstdint>
#include <string>

namespace beadwave::cli {

/// "[#####.....]  50.0 %  t = 350 us  2.1e+08 bead-steps/s  0:12 left"
std::string progress_line(std::int64_t step, std::int64_t steps, double time_step, std::size_t beads,
                          double wall_seconds);

class ProgressBar {
   public:
    /// Shows itself only if `wanted` and standard error is a terminal.
    ProgressBar(bool wanted, std::int64_t steps, double time_step, std::size_t beads);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(std::int64_t step, double wall_seconds);
    void clear();

   private:
    bool shown_;
    std::int64_t steps_;
    double time_step_;
    std::size_t beads_;
    double last_shown_ = -1.0;
};

}  // namespace beadwave::cli
