#include "beadwave/observers/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale) {
    Ledger ledger{.initial = start.kinetic + start.stored,
                  .kinetic = now.kinetic,
                  .stored = now.stored,
                  .dissipated = now.dissipated,
                  .work = now.external_work,
                  .discarded = now.discarded,
                  .scale = 0.0,
                  .residual = 0.0};
    const double imbalance =
        now.kinetic + now.stored + now.dissipated + now.discarded - ledger.initial - ledger.work;
    ledger.scale =
        std::max({scale, ledger.initial, now.kinetic, now.stored, std::abs(ledger.work)});
    if (ledger.scale > 0.0) ledger.residual = imbalance / ledger.scale;
    return ledger;
}

}  // namespace beadwave::observers
