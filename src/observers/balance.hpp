// The energy ledger of a chain, from the totals of its engine.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/recording/ledger.hpp"

namespace beadwave::observers {

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
recording::Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale);

}  // namespace beadwave::observers
