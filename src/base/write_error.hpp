// The error of results that cannot be written.
#pragma once

#include <stdexcept>

namespace beadwave {

/// A result could not be written, or was lost while it was written. The state of the run is still
/// valid.
struct WriteError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace beadwave
