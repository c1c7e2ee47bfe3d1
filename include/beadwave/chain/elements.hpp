// What beads carry besides their contacts: springs to the ground, masses on springs inside them,
// forces over time, prescribed motions, bonds with their neighbours, and forces between beads that
// need no contact.
//
// All displacements count from the start, where every spring is unstretched. The force of a spring
// on what it pulls back is
//
//     F = -(k x + k_3 x^3 + c x')
//
// where x is the displacement of a bead (spring to the ground), or of a mass relative to its bead.
#pragma once

#include "beadwave/laws/pair_law.hpp"
#include "beadwave/stepping/drive.hpp"
#include "beadwave/stepping/force_signal.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {

/// A spring with a dashpot beside it.
struct Spring {
    double stiffness = 0.0;  ///< k [N/m], from 0
    double cubic = 0.0;      ///< k_3 [N/m^3], of either sign
    double damping = 0.0;    ///< c [N s/m], from 0
};

/// A spring between a bead and the ground. With damping alone: viscous drag.
struct Foundation {
    std::size_t bead;
    Spring spring;
};

/// A mass on a spring inside a bead.
struct Resonator {
    std::size_t bead;
    double mass;  ///< [kg], above 0
    Spring spring;
    /// At the start [m], [m/s]; none: those of its bead.
    std::optional<double> displacement{}, velocity{};
};

/// A force on a bead that changes over time, towards higher bead numbers.
struct TimedLoad {
    std::size_t bead;
    stepping::ForceSignal force;
};

/// A bead that moves as prescribed, whatever pushes it.
struct DrivenBead {
    std::size_t bead;
    stepping::Drive motion;
};

/// Keeps the two beads of a contact together, beside the contact. With the elongation
///
///     x = u_c - u_(c-1) + stretch,   u: displacements,
///
/// its tension is k x + c x', as long as k x has never exceeded the strength: then it breaks for
/// good. A bond for tension only has no force while x is below 0.
struct Bond {
    std::size_t contact;     ///< c, between beads c - 1 and c: from 1 to beads - 1
    double stiffness = 0.0;  ///< k [N/m], above 0
    double damping = 0.0;    ///< c [N s/m], from 0
    double stretch = 0.0;    ///< elongation at the start [m]
    double strength = std::numeric_limits<double>::infinity();  ///< [N], above 0
    bool tension_only = false;

    /// k x [N], or 0 where the bond has no force. `apart` [m]: how much further apart the beads are
    /// than at the start.
    double pull(double apart) const {
        const double x = apart + stretch;
        return tension_only && x < 0.0 ? 0.0 : stiffness * x;
    }
};

/// A force between the beads first to last, both included, and their neighbours among these.
struct PairForce {
    std::size_t first, last;
    laws::PairLaw law;
    double force;  ///< A [N]: of either sign, positive repels
    /// Moments of the beads, repeated from `first` on; the force of two is A times both. Empty: all
    /// are 1.
    std::vector<double> moments{};
    std::size_t neighbours = 1;  ///< on each side; up to most_neighbours

    double strength(std::size_t left, std::size_t right) const {
        if (moments.empty()) return force;
        return force * moments[(left - first) % moments.size()] *
               moments[(right - first) % moments.size()];
    }
};
inline constexpr std::size_t most_neighbours = 16;

/// Which elements of a list of the whole chain this process has: `count` of them, from `index` on
/// in the list here, have the numbers `number`, `number` + 1, ... in the whole list.
struct ElementRun {
    std::size_t index, number, count;
};

/// The place of the elements of this process in a list of the whole chain.
struct ElementNumbers {
    std::size_t total = 0;  ///< of the whole chain
    std::vector<ElementRun> runs{};
};

/// Where several processes share a chain, each has the foundations, resonators and bonds of the
/// beads that it holds, but all loads, driven beads and pair forces, by its own bead indices. A
/// bead of a load or a driven bead that it does not hold has an index that is not below beads();
/// of pair forces `first` and `last` are cut to the beads that it holds.
struct Elements {
    std::vector<Foundation> foundations{};
    std::vector<Resonator> resonators{};
    std::vector<TimedLoad> loads{};
    std::vector<DrivenBead> driven{};
    std::vector<Bond> bonds{};
    std::vector<PairForce> pair_forces{};

    // Only where several processes share the chain.
    ElementNumbers resonator_numbers{}, bond_numbers{};
    bool anywhere = false;  ///< whether any process has elements

    bool empty() const {
        return foundations.empty() && resonators.empty() && loads.empty() && driven.empty() &&
               bonds.empty() && pair_forces.empty() && !anywhere;
    }
    bool drives(std::size_t bead) const {
        return std::ranges::any_of(driven,
                                   [&](const DrivenBead& each) { return each.bead == bead; });
    }
};

/// Why `elements` cannot drive this bead too, which moves at `velocity` [m/s] at the start; empty:
/// it can.
std::string fault_of_drive(const Elements& elements, std::size_t bead, double velocity);

/// Why a chain cannot have this bond too; empty: it can. `bonded`: by contact, whether it has a
/// bond; the contact of this one is marked.
std::string fault_of_bond(const Bond& bond, std::vector<bool>& bonded);

/// Throws ArgumentError that starts with the element, such as "resonators[2]": a bead that the
/// chain does not have, a number out of its range.
void check_elements(const Elements& elements, std::size_t beads);

}  // namespace beadwave::chain
