// What particles carry, on ranks that share a packing. Every rank has memory for all carriers and
// bonds; those of its own particles are up to date. A bond between two ranks is stepped on both,
// from the same numbers, so that both know when it breaks.
#pragma once

#include "packing/elements/element_stepper.hpp"
#include "ranks/communicator.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace beadwave::packing {

/// The ranks that have the particles of all carriers, and the two particles of each bond.
struct ElementOwners {
    std::vector<std::uint32_t> carrier;
    std::vector<std::array<std::uint32_t, 2>> bond;
};

/// Gets the state of all carriers and bonds from the ranks that have them; a bond's from that of
/// its first particle. Collective.
void complete_elements(ElementStepper& elements, ranks::Communicator& ranks,
                       const ElementOwners& owners);

/// Sends the state of carriers and bonds to the ranks that have their particles from now on, and
/// did not before. Collective.
void move_elements(ElementStepper& elements, ranks::Communicator& ranks,
                   const ElementOwners& before, const ElementOwners& now);

}  // namespace beadwave::packing
