// The progress line on a terminal. Prints nothing if standard error is not a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace beadwave::cli {

/// "0:12:34"
std::string hours_text(double wall_seconds);

/// "0:12:34 left"
std::string time_left(double wall_seconds);

/// The bodies of a run.
struct Bodies {
    std::size_t count;
    std::string name;  ///< of one body, such as "bead"
};

/// "[#####.....]  50.0 %  t = 350 us  2.1e+08 bead-steps/s  0:12 left"
std::string progress_line(std::int64_t step, std::int64_t steps, double time_step,
                          const Bodies& bodies, double wall_seconds);

/// "[#####.....]  50.0 %  5000 of 10000 runs  0:00:45 left"
std::string sweep_line(std::size_t done, std::size_t runs, double wall_seconds);

/// "[#####.....]  50.0 %  2 of 4 laws  0:00:45 left"
std::string compare_line(double part, std::size_t laws, double wall_seconds);

/// "12 runs  0:00:03": how many more there will be is not known.
std::string fit_line(std::int64_t runs, double wall_seconds);

class ProgressBar {
  public:
    /// The text after `done` steps or runs.
    using Line = std::function<std::string(std::int64_t done, double wall_seconds)>;

    /// Shown only if `wanted` and if standard error is a terminal.
    ProgressBar(bool wanted, Line line);
    ProgressBar(bool wanted, std::int64_t steps, double time_step, const Bodies& bodies);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    bool shown() const { return shown_; }
    void show(std::int64_t done, double wall_seconds);
    void clear();

  private:
    bool shown_;
    Line line_;
    double last_shown_ = -1.0;
};

}  // namespace beadwave::cli
