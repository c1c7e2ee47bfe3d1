// The memory that is available to a run.
#pragma once

namespace beadwave {

/// The physical memory of this machine, or the limit of this process if that is lower [bytes].
double machine_memory();

}  // namespace beadwave
