// The kinds of contact, of the many in a chain, that probably have the shortest contacts.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <vector>

namespace beadwave::dynamics {

/// A kind of contact by its numbers: two kinds with equal numbers are the same.
struct StiffKind {
    double rate;                 ///< minus force over mass: the lower, the stiffer [m/s^2]
    double mass;                 ///< effective [kg]
    std::vector<double> fields;  ///< of the law

    laws::AnyLaw law_of(const chain::Contacts& contacts) const;
    friend bool operator<(const StiffKind& a, const StiffKind& b);
};

/// The 64 (or fewer) kinds with the highest force per mass at a common overlap [m], of the whole
/// chain on all its ranks.
std::vector<StiffKind> stiffest_kinds(const chain::Chain& chain, double overlap);

}  // namespace beadwave::dynamics
