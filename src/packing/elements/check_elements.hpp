// Which elements a packing can have.
#pragma once

#include "packing/packing.hpp"

#include <cstddef>
#include <string>

namespace beadwave::packing {

/// An error message that names the element, or an empty text: particles that exist and are not
/// fixed, numbers in their ranges, nothing that leaves the plane, no box that strains.
std::string validate_elements(const Packing& packing);

/// Why a fixed particle cannot carry anything.
std::string fixed_carrier(std::size_t particle);

/// Why a particle cannot be driven a second time.
std::string driven_twice(std::size_t particle);

/// Why a particle cannot be driven by this motion; empty: it can.
std::string fault_of_drive(const Packing& packing, std::size_t particle,
                           const PrescribedMotion& motion);

}  // namespace beadwave::packing
