// Who looks on at runs that a person sees only together: of a comparison, of a fit.
#pragma once

#include "cli/signal_guard.hpp"
#include "jobs/job.hpp"

#include <optional>

namespace beadwave::cli {

/// A signal before the first run ends the program: there is nothing to lose yet, and what is read
/// may be a pipe.
class UntilInterrupted : public jobs::Watcher {
  public:
    void begin(std::int64_t, double, std::size_t) override { signals_.emplace(); }
    bool stop() override { return interrupted(); }

  private:
    std::optional<SignalGuard> signals_;
};

}  // namespace beadwave::cli
