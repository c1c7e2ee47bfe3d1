#include "missing_on_devices.hpp"

#include "device_laws.hpp"
#include "laws/tangential/any_slider.hpp"
#include "laws/tangential/sliding_coefficient.hpp"

#include <fmt/format.h>

#include <tuple>
#include <type_traits>

namespace beadwave::packing {
namespace {

/// Null: nothing.
const char* missing_friction(const Packing& packing) {
    bool two = packing.friction.static_coefficient.has_value(),
         curved = laws::depends_on_slip_speed(packing.friction),
         damped = laws::needs_stick_slip(packing.friction);
    for (const PairSettings& pair : packing.pairs) {
        two = two || pair.friction.static_coefficient.has_value();
        curved = curved || laws::depends_on_slip_speed(pair.friction);
        damped = damped || laws::needs_stick_slip(pair.friction);
    }
    return curved   ? "a coefficient of friction that depends on the slip speed"
           : two    ? "a static coefficient of friction"
           : damped ? "a dashpot beside Mindlin's spring"
                    : nullptr;
}

}  // namespace

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

std::string missing_on_devices(const Packing& packing) {
    if (packing.place == Place::host) return {};
    const auto lacks = [](const char* what) {
        return std::string("device: devices do not have ") + what +
               " yet; without `device` the packing runs on the processor's cores";
    };
    if (packing.precision == Precision::mixed) return lacks("mixed precision");
    if (packing.has_line_contacts()) return lacks("cylinders");
    if (!packing.elements.empty()) return lacks("elements (springs, masses inside, drives, bonds)");
    if (const char* const what = missing_friction(packing)) return lacks(what);
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

}  // namespace beadwave::packing
