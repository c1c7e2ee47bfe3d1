// Holds a run at a chosen step, for tests and debuggers.
//
// The environment variable BEADWAVE_PAUSE_AT_STEP names steps in ascending order, separated by
// commas. Once the run has reached one of them, the process stops itself (SIGSTOP); SIGCONT
// continues it. In a sweep the numbers count finished runs. A test that needs a run in its middle
// waits for this stop, never for a clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::cli {

class PauseAtStep {
  public:
    /// Reads the environment; throws InputError if the variable is not such a list.
    PauseAtStep();
    /// Stops the process if `step` is at or beyond the next step of the list.
    void reached(std::int64_t step);

  private:
    std::vector<std::int64_t> steps_;
    std::size_t next_ = 0;
};

}  // namespace beadwave::cli
