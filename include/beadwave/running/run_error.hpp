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
    StepRejected(const std::string& why, double step) : RunError(why), longest(step) {}
    double longest;  ///< step that would have been short enough [s]
};

}  // namespace beadwave::running
