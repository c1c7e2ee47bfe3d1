#include "observers/packing_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

PackingLedger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
                      double scale) {
    PackingLedger ledger{.initial = start.translational + start.rotational + start.stored_normal +
                                    start.stored_tangential,
                         .kinetic = now.translational + now.rotational,
                         .translational = now.translational,
                         .rotational = now.rotational,
                         .stored = now.stored_normal + now.stored_tangential,
                         .dissipated = now.dissipated_normal + now.dissipated_tangential,
                         .normal = now.dissipated_normal,
                         .friction = now.dissipated_tangential - now.dissipated_rolling,
                         .rolling = now.dissipated_rolling,
                         .external_work = now.external_work,
                         .scale = 0.0,
                         .energy_error = 0.0,
                         .relative_energy_error = 0.0};
    ledger.energy_error = ledger.translational + ledger.rotational + ledger.stored + ledger.normal +
                          now.dissipated_tangential - ledger.initial - ledger.external_work;
    ledger.scale = std::max({scale, ledger.initial, ledger.translational, ledger.rotational,
                             ledger.stored, std::abs(ledger.external_work)});
    if (ledger.scale > 0.0) ledger.relative_energy_error = ledger.energy_error / ledger.scale;
    return ledger;
}

}  // namespace beadwave::observers
