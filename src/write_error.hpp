// The error of results that cannot be written.
#pragma once

#include <stdexcept>

namespace beadwave {

/// A result could not be written or was lost while it grew: what the run itself knows is still
/// good.
struct WriteError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace beadwave
