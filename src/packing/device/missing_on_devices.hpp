// What devices do not have. It needs no device, so that scenarios are checked where none is built.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/settings.hpp"
#include "packing/packing.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace beadwave::packing {

/// The number of a law in DeviceLaws; none if devices do not have it.
std::optional<std::size_t> device_law(const laws::AnyLaw& law);

/// The part of this packing that devices do not have, as a message of validate(); empty: none.
std::string missing_on_devices(const Packing& packing);

/// That devices do not have the law that was made from these settings, in one sentence; empty: they
/// have it.
std::string law_missing_on_devices(const laws::AnyLaw& law, const laws::Settings& settings);

}  // namespace beadwave::packing
