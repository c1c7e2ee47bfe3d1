// The numbers of what the beads of a chain carry, as columns. Differences of these numbers between
// chains whose beads carry the same things give derivatives.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::dynamics {

/// A sum of drives, each with a weight; empty: no motion.
using WeightedDrives = std::vector<std::pair<double, stepping::Drive>>;

struct ElementColumns {
    using Column = std::vector<double>;
    struct Springs {
        Column stiffness, cubic, damping;  ///< one per bead [N/m, N/m^3, N s/m]
    };
    struct Slot {
        Springs spring;
        Column mass;  ///< one per bead [kg]; 0: no resonator
    };
    /// Pairs of each bead with one neighbour (chain::PairTable::Term).
    struct Pairs {
        Column strength;  ///< one per bead [N]
        Column law;       ///< distance r0 [m], exponent, range [m]
    };

    Springs ground;
    std::vector<Slot> slots;
    // One per bead, of the bond to its left; empty without bonds.
    Column bond_stiffness, bond_damping, bond_stretch, bond_strength;
    std::vector<Column> spacing;  ///< to each neighbour, one per bead [m]
    std::vector<Pairs> pairs;
    std::vector<Column> loads;           ///< over time: sine_of(), or zeros
    std::vector<WeightedDrives> driven;  ///< motions of driven beads

    /// Columns of a chain that one process holds; all empty if its beads carry nothing.
    explicit ElementColumns(const chain::Chain& chain);

    /// All columns, in an order that only depends on what beads carry.
    std::vector<Column*> all();
    std::vector<const Column*> all() const;
};

/// Frequency [Hz], amplitude [N] and end [s] of a sine; none: another force.
std::optional<std::vector<double>> sine_of(const stepping::ForceSignal& force);

/// Why the numbers of what the beads of two chains carry cannot be subtracted; empty if they can.
std::string difference_in_elements(const chain::Elements& a, const chain::Elements& b);

}  // namespace beadwave::dynamics
