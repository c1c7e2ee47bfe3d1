// What a run may take of this machine.
#pragma once

namespace beadwave {

/// [bytes]: what is built in, or a limit on the process that is lower.
double machine_memory();

}  // namespace beadwave
