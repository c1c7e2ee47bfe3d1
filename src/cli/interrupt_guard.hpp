// The progress callback of a comparison and of a fit: it shows a line on the terminal, and ends
// them when a signal arrives.
#pragma once

#include "cli/progress_bar.hpp"
#include "cli/signal_guard.hpp"
#include "jobs/job.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace beadwave::cli {

/// A signal before the first run ends the program at once: nothing is lost, and the input may be a
/// pipe.
class InterruptGuard : public jobs::ProgressCallback {
  public:
    InterruptGuard(bool wanted, ProgressBar::Line line) : bar_(wanted, std::move(line)) {}

    void begin(std::int64_t, double, std::size_t) override { signals_.emplace(); }
    bool stop() override { return interrupted(); }
    /// May be called from any thread.
    void progress(std::int64_t done, double wall_seconds) override {
        const std::lock_guard lock(mutex_);
        bar_.show(done, wall_seconds);
    }
    /// Clears the progress bar before a result is printed.
    void clear() { bar_.clear(); }

  private:
    std::mutex mutex_;
    ProgressBar bar_;
    std::optional<SignalGuard> signals_;
};

}  // namespace beadwave::cli
