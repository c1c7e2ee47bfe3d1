#include "packing_system/packing_balance.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

using recording::Ledger;

Ledger balance(const packing::PackingTotals& start, const packing::PackingTotals& now,
               double scale) {
    Ledger ledger{
        .initial = start.translational + start.rotational + start.stored_normal +
                   start.stored_tangential + start.stored_elements,
        .kinetic = now.translational + now.rotational,
        .translational = now.translational,
        .rotational = now.rotational,
        .stored = now.stored_normal + now.stored_tangential + now.stored_elements,
        .dissipated = now.dissipated_normal + now.dissipated_tangential + now.dissipated_elements,
        .normal_dissipation = now.dissipated_normal,
        .friction_dissipation = now.dissipated_tangential - now.dissipated_rolling,
        .rolling_dissipation = now.dissipated_rolling,
        .broken_energy = now.broken_energy,
        .external_work = now.external_work,
        .inflow_energy = now.inflow_energy};
    ledger.close(
        ledger.translational + ledger.rotational + ledger.stored + ledger.normal_dissipation +
            now.dissipated_tangential + now.dissipated_elements - ledger.initial -
            ledger.external_work - ledger.inflow_energy,
        std::max({scale, ledger.translational, ledger.rotational, std::abs(ledger.inflow_energy)}));
    return ledger;
}

}  // namespace beadwave::observers
