// The twin of a device: the host runs the same kernels in its own memory. Tests run on it wherever
// there is no graphics processor.
#pragma once

#include "device/device.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace beadwave::device {

/// Runs a kernel for the threads from `first` up to and without `end`, one after the other. Both
/// are multiples of `block_threads`: as on a device the last block is whole, and its threads beyond
/// the count must do nothing. It does not throw.
using TwinKernel = void (*)(const void* arguments, std::size_t first, std::size_t end);

/// Names a kernel for all twins. A kernel that has the same names is replaced. May be called from
/// any thread, before main() too.
void add_twin_kernel(const std::string& module, const std::string& kernel, TwinKernel run);

/// A twin on `threads` threads of the host (at least 1). Kernels have ended when launch() returns.
/// As on a device, kernels keep subnormal numbers, even where the caller flushes them to zero. Its
/// memory starts at multiples of 256 bytes, as that of a device, and holds NaN until it is written.
std::unique_ptr<Device> make_twin(int threads);

}  // namespace beadwave::device
