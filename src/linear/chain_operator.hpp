// A chain linearised about its static equilibrium: what modes, bands and transfer functions need.
//
//     m_i u_i'' = k_i (u_(i-1) - u_i) - k_(i+1) (u_i - u_(i+1)) + the same with damping + f_i
//
// Contact i is before bead i, as in chain::Chain. Fixed beads and driven ones are left out: their
// contacts hold the next bead to the ground, as those with walls do. Beads may carry springs to the
// ground and masses on springs inside them, and forces without contact may reach beyond the next
// bead; the freedoms are those of the beads, then those of the masses inside.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace beadwave::linear {

/// A mass on a spring inside a bead.
struct InnerMass {
    std::size_t bead;  ///< in the order of the operator
    double mass;       ///< [kg]
    double stiffness;  ///< [N/m]
    double damping;    ///< [N s/m]
};

/// A driven bead between two beads that move: these are neighbours in the operator, without a
/// contact, and its own contacts are springs to the ground.
struct HeldBetween {
    std::size_t contact;                     ///< of the two beads, in the operator
    double left_stiffness, right_stiffness;  ///< of its contacts' laws alone [N/m]
    double left_damping, right_damping;      ///< [N s/m]
};

/// A force without contact between two beads that are no neighbours, or have a driven bead between
/// them, as a spring.
struct FarSpring {
    std::size_t first, second;  ///< in the order of the operator, ascending
    double stiffness;           ///< -dF/dr of the force that pushes them apart; of any sign [N/m]
};

/// A force without contact from a bead that does not move, as a spring; ground_stiffness has it.
struct HeldSpring {
    std::size_t bead;  ///< in the order of the operator
    std::size_t held;  ///< the number of the other bead
    double stiffness;  ///< [N/m]
};

struct ChainOperator {
    std::vector<double> mass;       ///< of the beads that move [kg]
    std::vector<double> stiffness;  ///< one more: contacts, the outer two with the ground [N/m]
    std::vector<double> damping;    ///< in the order of stiffness [N s/m]
    std::vector<std::size_t> bead;  ///< numbers of the beads that move, ascending
    std::vector<double> position;   ///< of the beads that move [m]
    /// The parts of bonds and of forces without contact in stiffness and damping, which sensors do
    /// not feel. Empty: there are none.
    std::vector<double> joined_stiffness{}, joined_damping{};  // [N/m], [N s/m]
    /// The springs between each bead and the ground; empty: there are none.
    std::vector<double> ground_stiffness{}, ground_damping{};  // [N/m], [N s/m]
    std::vector<InnerMass> inner{};                            ///< by beads, ascending
    std::vector<HeldBetween> held{};                           ///< by contacts, ascending
    std::vector<FarSpring> far{};        ///< one per pair, by second and first, ascending
    std::vector<HeldSpring> far_held{};  ///< by beads, ascending
    /// Warnings about what the linear chain leaves out, one sentence each.
    std::vector<std::string> warnings;

    std::size_t size() const { return mass.size(); }
    std::size_t freedoms() const { return mass.size() + inner.size(); }
    std::vector<double> masses() const;  ///< of all freedoms [kg]
    void need_ground();                  ///< ground_stiffness and ground_damping get their length
    /// Whether springs besides the contacts' count.
    bool has_element_springs() const;
    bool damped() const;
    /// Modes of zero frequency: groups of masses that no spring holds to the ground.
    std::size_t rigid_modes() const;
    /// The rigid modes of groups that no dashpot holds either.
    std::size_t drifting_modes() const;
};

/// Springs are linear: at rest they are unstretched, so a cubic term has no slope. Loads over time
/// are left out, as the motion of walls and of driven beads is. Throws InputError that starts with
/// `name`, if the chain is not in static equilibrium, no contact is compressed and no force acts
/// without contact, the equilibrium is not stable, or a law jumps at the static load of a contact.
ChainOperator linearise(const chain::Chain& chain, const std::string& name);

}  // namespace beadwave::linear
