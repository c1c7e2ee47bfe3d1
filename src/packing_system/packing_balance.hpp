// The energy ledger of a packing, from the totals of its engine.
#pragma once

#include "beadwave/recording/ledger.hpp"
#include "packing/packing_engine.hpp"

namespace beadwave::observers {

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
recording::Ledger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                          double scale);

}  // namespace beadwave::observers
