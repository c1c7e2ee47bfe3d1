#include "open_device_pairs.hpp"

#include "beadwave/input_error.hpp"
#include "device/gpu.hpp"
#include "device/twin.hpp"
#include "device_laws.hpp"
#include "step_twin.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace beadwave::packing {
namespace {

/// The number of a law in DeviceLaws.
std::optional<std::size_t> device_law(const laws::AnyLaw& law) {
    std::optional<std::size_t> found;
    [&]<class... Law>(std::type_identity<std::tuple<Law...>>) {
        std::size_t at = 0;
        const auto offer = [&]<class Each>() {
            if (law.is<Each>()) found = at;
            ++at;
        };
        (offer.template operator()<Law>(), ...);
    }(std::type_identity<on_device::DeviceLaws>{});
    return found;
}

}  // namespace

std::string missing_on_devices(const Packing& packing) {
    if (packing.place == Place::host) return {};
    const auto lacks = [](const char* what) {
        return std::string("device: devices do not have ") + what +
               " yet; without `device` the packing runs on the processor's cores";
    };
    if (packing.precision == Precision::mixed) return lacks("mixed precision");
    if (packing.has_line_contacts()) return lacks("cylinders");
    if (!packing.elements.empty()) return lacks("elements (springs, masses inside, drives, bonds)");
    for (const Wall& wall : packing.walls)
        if (wall.mesh() != nullptr) return lacks("walls of triangles");
    for (const Wall& wall : packing.walls)
        if (wall.angular_velocity != 0.0 && packing.rolling.acts())
            return lacks("rolling or twisting resistance beside walls that turn");
    return {};
}

std::string law_missing_on_devices(const laws::AnyLaw& law, const laws::Settings& settings) {
    if (device_law(law)) return {};
    return fmt::format(
        "devices do not have the contact law \"{}\" yet; they have hertz, hooke, power laws, the "
        "hysteresis family, spring-dashpots, wang-liu, ma-liu, jkr and dmt",
        settings.name);
}

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
