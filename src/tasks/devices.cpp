#include "tasks/devices.hpp"

#include "device/embedded_code.hpp"
#include "simd/instruction_sets.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace beadwave::tasks {

std::string Devices::text() const {
    std::string text =
        fmt::format("processor  {}, the fastest first\n", fmt::join(instruction_sets, ", "));
    for (const device::GpuInfo& gpu : gpus.gpus) {
        text += fmt::format("GPU        {}: {:.1f} GB, compute capability {}, driver for CUDA {}\n",
                            gpu.name, static_cast<double>(gpu.memory) / 1e9, gpu.compute_capability,
                            gpu.driver);
    }
    if (gpus.gpus.empty()) text += fmt::format("GPU        none: {}\n", gpus.none_because);
    text += gpu_code.empty()
                ? "GPU code   none: this beadwave was built without clang 14 or later\n"
                : fmt::format("GPU code   {} module{}\n", gpu_code.size(),
                              gpu_code.size() == 1 ? "" : "s");
    return text;
}

nlohmann::ordered_json Devices::json() const {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const device::GpuInfo& gpu : gpus.gpus) {
        list.push_back({{"name", gpu.name},
                        {"memory", gpu.memory},
                        {"compute_capability", gpu.compute_capability},
                        {"driver", gpu.driver}});
    }
    nlohmann::ordered_json object = {{"instruction_sets", instruction_sets}, {"gpus", list}};
    if (gpus.gpus.empty()) object["no_gpu"] = gpus.none_because;
    object["gpu_code"] = gpu_code;
    return object;
}

Devices devices() {
    Devices found{{}, device::list_gpus(), device::embedded_modules()};
    for (const simd::InstructionSet& set : simd::instruction_sets())
        found.instruction_sets.emplace_back(set.name);
    return found;
}

}  // namespace beadwave::tasks
