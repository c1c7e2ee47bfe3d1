// The energy ledger: kinetic + stored + dissipated + discarded = initial + work of gravity, loads
// and driven ends.
#pragma once

#include "beadwave/dynamics/engine.hpp"

namespace beadwave::observers {

/// All in J, but for the residual.
struct Ledger {
    double initial;  ///< kinetic + stored at the start
    double kinetic;
    double stored;
    double dissipated;
    double work;       ///< by gravity, loads and driven ends
    double discarded;  ///< kinetic, of beads put to rest by time.sleep_speed
    double scale;      ///< the largest amount in the book so far
    double residual;   ///< imbalance relative to that [-]
};

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale);

}  // namespace beadwave::observers
