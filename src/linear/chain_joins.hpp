// What bonds and forces without contact add to the contacts of a chain at the start.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::linear {

/// A force without contact between two beads that are no neighbours.
struct FarJoin {
    std::size_t left, right;  ///< numbers of the beads
    double stiffness;         ///< [N/m]
};

/// Joins by contacts and, of forces that reach beyond the next bead, by beads.
struct ChainJoins {
    explicit ChainJoins(std::size_t beads)
        : force(beads + 1),
          size(beads + 1),
          stiffness(beads + 1),
          damping(beads + 1),
          joined(beads + 1),
          far_force(beads),
          far_size(beads) {}

    bool empty() const;

    std::vector<double> force;               ///< positive: pushes the beads apart [N]
    std::vector<double> size;                ///< sum of the absolute forces [N]
    std::vector<double> stiffness, damping;  ///< [N/m], [N s/m]
    std::vector<bool> joined;
    std::vector<FarJoin> far{};     ///< one per pair
    std::vector<double> far_force;  ///< on each bead, towards higher numbers [N]
    std::vector<double> far_size;   ///< sum of the absolute forces [N]
};

/// Throws InputError that starts with `name` if a bond for tension only has none.
ChainJoins joins_of(const chain::Chain& chain, const std::string& name);

/// "the contact of beads 2 and 3".
std::string name_of_contact(const chain::Chain& chain, std::size_t contact);

}  // namespace beadwave::linear
