// The balance of a mechanism's energies, beside those at the start of its run.
#pragma once

#include "mechanism/result.hpp"

#include <algorithm>

namespace beadwave::mechanism {

/// Adds the initial energy [J] and the errors to a ledger. `largest_entry`: of all ledgers so far
/// [J], which grows with this one; energies below `rounding` are rounding [J].
inline void balance(Ledger& l, double initial, double rounding, double& largest_entry) {
    l.initial = initial;
    l.close(l.kinetic + l.potential + l.stored + l.normal_dissipation + l.friction_dissipation +
                l.damper_dissipation - initial - l.external_work,
            std::max({largest_entry, l.kinetic, rounding}));
    largest_entry = l.scale;
}

}  // namespace beadwave::mechanism
