// Who looks on at runs that a person sees only together: of a sweep, of a comparison.
#pragma once

#include "cli/signal_guard.hpp"
#include "jobs/job.hpp"

namespace beadwave::cli {

class UntilInterrupted : public jobs::Watcher {
  public:
    bool stop() override { return interrupted(); }
};

}  // namespace beadwave::cli
