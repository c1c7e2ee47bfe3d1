// The numbers of a chain that its motion follows from, contact by contact and bead by bead: what
// can be differentiated by differences of chains that were built alike.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// A sum of drives, each with its weight; none: no motion.
using WeightedDrives = std::vector<std::pair<double, chain::Drive>>;

struct ChainNumbers {
    std::vector<std::vector<double>> law;  ///< a column a field, one number a contact
    std::vector<double> gap;               ///< one a contact [m]
    std::vector<double> mass;              ///< one a bead [kg]
    std::vector<double> push;              ///< gravity and loads, one a bead [N]
    std::vector<double> velocity;          ///< at the start, one a bead [m/s]
    WeightedDrives left, right;            ///< of the walls

    explicit ChainNumbers(const chain::Chain& chain);

    /// Adds the numbers of another, as many, times a weight.
    void add(const ChainNumbers& other, double weight);
    /// All zero, walls without motion.
    void clear();
};

}  // namespace beadwave::dynamics
