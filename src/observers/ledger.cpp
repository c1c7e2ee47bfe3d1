#include "beadwave/observers/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now) {
    Ledger ledger{.initial = start.kinetic + start.stored,
                  .kinetic = now.kinetic,
                  .stored = now.stored,
                  .dissipated = now.dissipated,
                  .work = now.external_work,
                  .residual = 0.0};
    const double imbalance = now.kinetic + now.stored + now.dissipated - ledger.initial - ledger.work;
    const double scale = std::max({ledger.initial, now.kinetic, now.stored, std::abs(ledger.work)});
    if (scale > 0.0) ledger.residual = imbalance / scale;
    return ledger;
}

}  // namespace beadwave::observers
