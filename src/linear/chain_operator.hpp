// A chain linearised about its static equilibrium: what modes, bands and transfer functions need.
//
//     m_i u_i'' = k_i (u_(i-1) - u_i) - k_(i+1) (u_i - u_(i+1)) + the same with damping + f_i
//
// Contact i is before bead i, as in chain::Chain. Fixed beads are left out: their contacts hold the
// next bead to the ground, as those with walls do.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::linear {

struct ChainOperator {
    std::vector<double> mass;       ///< of the beads that move [kg]
    std::vector<double> stiffness;  ///< one more: contacts, the outer two with the ground [N/m]
    std::vector<double> damping;    ///< the same [N s/m]
    std::size_t first_bead = 0;     ///< number of the first bead that moves
    std::vector<double> position;   ///< of the beads that move [m]
    /// What the linear chain leaves out, one sentence each.
    std::vector<std::string> warnings;

    std::size_t size() const { return mass.size(); }
    bool damped() const;
    /// Modes of zero frequency: groups of beads that no contact holds to the ground.
    std::size_t rigid_modes() const;
};

/// Throws InputError that starts with `name`, if the chain is not in static equilibrium, no contact
/// is compressed, or a law jumps at the static load of a contact.
ChainOperator linearise(const chain::Chain& chain, const std::string& name);

}  // namespace beadwave::linear
