// A run whose chosen time step turns out too long begins again with a shorter one, the same on
// every machine and however it is interrupted; what gives reason to doubt a result is noted.
#pragma once

#include "beadwave/running/simulation.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::running {

/// One try with one time step.
struct Attempt {
    dynamics::TimeStep time_step;
    std::vector<std::string> notes{};  ///< why earlier ones were given up
};

/// The next one, where a run says why its step was too long. Throws RunError if there is none.
Attempt shorter_attempt(const Attempt& failed, const StepTooLong& why, const Settings& settings);

/// Called before the first step of each attempt; what an earlier attempt has written is to be
/// thrown away.
using Begin = std::function<Sinks(const Attempt&, dynamics::Engine&)>;

/// What steps the chain, with this time step [s].
using MakeEngine =
    std::function<std::unique_ptr<dynamics::Engine>(const chain::Chain&, double time_step)>;

struct Finished {
    RunResult result;
    Attempt attempt;                  ///< the one that came to the end
    int threads;                      ///< in use
    std::vector<std::string> doubts;  ///< what gives reason to doubt the result

    /// All that was noted.
    std::vector<std::string> notes() const;
};

/// Runs the chain, beginning with `first`; threads 0: as many as there are. `from`, if not null, is
/// where that attempt goes on; `make`, another engine than the usual one. Throws RunError.
Finished run_chain(const chain::Chain& chain, const Settings& settings, const Attempt& first,
                   int threads, const Begin& begin, const SavedState* from = nullptr,
                   const MakeEngine& make = {});

/// Reasons to doubt a run that show before it starts.
std::vector<std::string> doubts_before(const chain::Chain& chain,
                                       const dynamics::TimeStep& time_step);

}  // namespace beadwave::running
