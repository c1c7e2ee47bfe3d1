// Device code: the arithmetic of check.hpp.
#include <cstddef>

#pragma clang force_cuda_host_device begin
#include "device/check.hpp"
#pragma clang force_cuda_host_device end

#include "device/thread_number.hpp"

/// A block has at most 128 threads: without this bound the driver would leave fewer registers to
/// each.
extern "C" __attribute__((global)) __attribute__((launch_bounds(128))) void check(
    beadwave::device::CheckArguments arguments) {
    beadwave::device::check_thread(arguments, beadwave::device::thread_number());
}
