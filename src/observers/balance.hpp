// The energy ledgers of chains and packings, from the totals of their engines.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "beadwave/recording/ledger.hpp"
#include "packing/packing_engine.hpp"

namespace beadwave::observers {

/// The ledger between the totals at the start and now; `scale` is that of the ledger before.
recording::Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale);
recording::Ledger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                          double scale);

}  // namespace beadwave::observers
