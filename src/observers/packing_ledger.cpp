#include "observers/packing_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

PackingLedger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                      double scale) {
    PackingLedger ledger{
        .initial = start.kinetic + start.rotational + start.stored_normal + start.stored_tangential,
        .kinetic = now.kinetic,
        .rotational = now.rotational,
        .stored = now.stored_normal + now.stored_tangential,
        .dissipated = now.dissipated_normal,
        .friction = now.dissipated_friction,
        .work = now.external_work,
        .scale = 0.0,
        .residual = 0.0};
    const double imbalance = ledger.kinetic + ledger.rotational + ledger.stored +
                             ledger.dissipated + ledger.friction - ledger.initial - ledger.work;
    ledger.scale = std::max({scale, ledger.initial, ledger.kinetic, ledger.rotational,
                             ledger.stored, std::abs(ledger.work)});
    if (ledger.scale > 0.0) ledger.residual = imbalance / ledger.scale;
    return ledger;
}

}  // namespace beadwave::observers
