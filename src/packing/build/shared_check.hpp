// What is wrong with a packing that ranks share.
#pragma once

#include "packing/packing.hpp"

#include <string>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::packing {

/// validate(packing): each of the ranks looks at a part of the particles, and all return the
/// message of one process; null: one process. Collective.
std::string validate(const Packing& packing, ranks::Communicator* ranks);

}  // namespace beadwave::packing
