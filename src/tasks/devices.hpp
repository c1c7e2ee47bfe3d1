// What this machine can compute with: instruction sets of its processor, and graphics processors.
#pragma once

#include "device/gpu.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace beadwave::tasks {

struct Devices {
    std::vector<std::string> instruction_sets;  ///< in use on this processor, the fastest first
    device::GpuList gpus;
    std::vector<std::string> gpu_code;  ///< modules of code for GPUs in this program

    std::string text() const;  ///< for people
    nlohmann::ordered_json json() const;
};

/// Asks the processor and, where there is one, the driver of GPUs. Throws InputError if the
/// environment allows no instruction set that is here.
Devices devices();

}  // namespace beadwave::tasks
