// What particles carry, on ranks that share a packing. Every rank has memory for all carriers and
// bonds; those of its own particles are up to date. A bond between two ranks is stepped on both,
// from the same numbers, so that both know when it breaks.
#pragma once

#include "packing/elements/element_stepper.hpp"
#include "ranks/communicator.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace beadwave::packing {

/// The rank that has a particle.
using OwnerOf = std::function<std::size_t(std::size_t particle)>;

/// Gets the state of all carriers and bonds from the ranks that have them; a bond's from that of
/// its first particle. Collective.
void complete_elements(ElementStepper& elements, const std::vector<Bond>& bonds,
                       ranks::Communicator& ranks, const OwnerOf& owner);

/// Sends the state of carriers and bonds to the ranks that have their particles from now on, and
/// did not before. Collective.
void move_elements(ElementStepper& elements, const std::vector<Bond>& bonds,
                   ranks::Communicator& ranks, const OwnerOf& before, const OwnerOf& now);

}  // namespace beadwave::packing
