#include "open_device_pairs.hpp"

#include "beadwave/input_error.hpp"
#include "device/gpu.hpp"
#include "device/twin.hpp"
#include "missing_on_devices.hpp"
#include "step_twin.hpp"

#include <optional>
#include <utility>

namespace beadwave::packing {

std::unique_ptr<DevicePairs> open_device_pairs(const Packing& packing, const PairLaws& laws,
                                               const KeptOfContacts& kept, bool velocities,
                                               bool predicted, int threads) {
    if (packing.place == Place::host) return nullptr;
    const std::optional<std::size_t> law = device_law(laws.normal());
    if (!law) throw InputError("device: " + law_missing_on_devices(laws.normal(), packing.law));
    std::unique_ptr<device::Device> device;
    if (packing.place == Place::gpu) {
        device = device::open_gpu();
    } else {
        on_device::add_twin_kernels();
        device = device::make_twin(threads);
    }
    return std::make_unique<DevicePairs>(std::move(device), *law, laws.slider().index(), kept,
                                         velocities, predicted);
}

}  // namespace beadwave::packing
