// What packings with rigid contacts take.
#pragma once

#include "packing/packing.hpp"

#include <string>

namespace beadwave::packing {

/// A sentence that names what the engine of rigid contacts does not have; empty: nothing, or the
/// packing has no rigid contacts but asks for their friction.
std::string validate_rigid(const Packing& packing);

}  // namespace beadwave::packing
