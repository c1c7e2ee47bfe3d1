// A graphics processor (GPU) as a device, through the driver of NVIDIA.
#pragma once

#include "device/device.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::device {

struct GpuInfo {
    std::string name;                ///< "NVIDIA H100 80GB HBM3"
    std::size_t memory = 0;          ///< bytes
    std::string compute_capability;  ///< "9.0"
    std::string driver;              ///< the version of CUDA that the driver offers, "12.4"
};

struct GpuList {
    std::vector<GpuInfo> gpus;
    std::string none_because;  ///< where there is none: one sentence; otherwise empty
};

/// The GPUs of this machine that the environment variable CUDA_VISIBLE_DEVICES allows.
GpuList list_gpus();

/// The first GPU of this list. The driver compiles the embedded code when kernel() first asks for a
/// module. Throws DeviceError, one sentence that says what failed and why; so do all its functions.
/// A failed kernel is seen by a call after it.
std::unique_ptr<Device> open_gpu();

}  // namespace beadwave::device
