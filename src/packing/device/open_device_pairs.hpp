// Chooses the device of a packing, and says what devices do not have.
#pragma once

#include "device_pairs.hpp"
#include "packing/packing.hpp"
#include "packing/pair_laws.hpp"

#include <memory>
#include <string>

namespace beadwave::packing {

/// What of this packing devices do not have, as a message of validate(); empty: nothing.
std::string missing_on_devices(const Packing& packing);

/// That devices do not have the law that was made from these settings, in one sentence; empty: they
/// have it.
std::string law_missing_on_devices(const laws::AnyLaw& law, const laws::Settings& settings);

/// Null where the packing runs on the host. Throws InputError for laws that devices do not have,
/// device::DeviceError where there is no device.
std::unique_ptr<DevicePairs> open_device_pairs(const Packing& packing, const PairLaws& laws,
                                               const KeptOfContacts& kept, bool velocities,
                                               bool predicted, int threads);

}  // namespace beadwave::packing
