// A run that ended because of its device, and not because of its numbers.
#pragma once

#include "beadwave/running/run_error.hpp"

namespace beadwave::running {

/// There is no device, it has not enough memory, or it has failed: the same run can continue from
/// its last checkpoint, here or on another device.
struct DeviceLost : RunError {
    using RunError::RunError;
};

}  // namespace beadwave::running
