// The progress callback of a comparison and of a fit: it ends them when a signal arrives.
#pragma once

#include "cli/signal_guard.hpp"
#include "jobs/job.hpp"

#include <optional>

namespace beadwave::cli {

/// A signal before the first run ends the program at once: nothing is lost, and the input may be a
/// pipe.
class InterruptGuard : public jobs::ProgressCallback {
  public:
    void begin(std::int64_t, double, std::size_t) override { signals_.emplace(); }
    bool stop() override { return interrupted(); }

  private:
    std::optional<SignalGuard> signals_;
};

}  // namespace beadwave::cli
