// Runs that cannot continue.
#pragma once

#include <stdexcept>
#include <string>

namespace beadwave::running {

/// A run that failed: unstable, or its output could not be written. Exit status 1.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A chosen time step turned out too long for the motion; the run restarts with a shorter one.
struct StepRejected : RunError {
    /// `guessed`: nothing says how short the step must be, or that a shorter one helps at all.
    StepRejected(const std::string& why, double step, bool guessed = false)
        : RunError(why), longest(step), is_guess(guessed) {}
    double longest;  ///< step that would have been short enough [s]
    bool is_guess;
};

}  // namespace beadwave::running
