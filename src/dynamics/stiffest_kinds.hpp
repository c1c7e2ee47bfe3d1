// Of a chain's many kinds of contact those that are likely to be the shortest.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <vector>

namespace beadwave::dynamics {

/// A kind of contact by its numbers: two are one if these are.
struct StiffKind {
    double rate;                 ///< force over mass, less is stiffer [m/s^2]
    double mass;                 ///< effective [kg]
    std::vector<double> fields;  ///< of the law

    laws::AnyLaw law_of(const chain::Contacts& contacts) const;
    friend bool operator<(const StiffKind& a, const StiffKind& b);
};

/// The 64 kinds, or fewer, of the highest force per mass at a common overlap [m], of all that the
/// chain's ranks hold.
std::vector<StiffKind> stiffest_kinds(const chain::Chain& chain, double overlap);

}  // namespace beadwave::dynamics
