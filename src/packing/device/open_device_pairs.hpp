// Chooses the device of a packing.
#pragma once

#include "device_pairs.hpp"
#include "packing/contacts/pair_laws.hpp"
#include "packing/packing.hpp"

#include <memory>

namespace beadwave::packing {

/// Null where the packing runs on the host. Throws InputError for laws that devices do not have,
/// device::DeviceError where there is no device.
std::unique_ptr<DevicePairs> open_device_pairs(const Packing& packing, const PairLaws& laws,
                                               const KeptOfContacts& kept, bool velocities,
                                               bool predicted, int threads);

}  // namespace beadwave::packing
