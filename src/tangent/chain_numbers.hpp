// The numbers of a chain that determine its motion, contact by contact and bead by bead.
// Differences of these numbers between chains of the same structure give derivatives.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "tangent/elements/element_columns.hpp"

#include <vector>

namespace beadwave::dynamics {

struct ChainNumbers {
    std::vector<std::vector<double>> law;  ///< one column per field, one number per contact
    std::vector<double> gap;               ///< one per contact [m]
    std::vector<double> mass;              ///< one per bead [kg]
    std::vector<double> body_force;        ///< gravity and loads, one per bead [N]
    std::vector<double> velocity;          ///< at the start, one per bead [m/s]
    WeightedDrives left, right;            ///< of the walls
    ElementColumns elements;               ///< what beads carry

    explicit ChainNumbers(const chain::Chain& chain);

    /// Adds the numbers of another chain of the same size times a weight.
    void add(const ChainNumbers& other, double weight);
    /// Sets all numbers to zero and removes the motion of the walls and the driven beads.
    void clear();

    /// All columns of numbers, in an order that only depends on the structure of the chain.
    std::vector<std::vector<double>*> columns();
    std::vector<const std::vector<double>*> columns() const;
};

}  // namespace beadwave::dynamics
