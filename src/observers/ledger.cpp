#include "beadwave/observers/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale) {
    Ledger ledger{.initial = start.kinetic + start.stored,
                  .kinetic = now.kinetic,
                  .stored = now.stored,
                  .dissipated = now.dissipated,
                  .external_work = now.external_work,
                  .sleep_loss = now.sleep_loss_energy,
                  .scale = 0.0,
                  .energy_error = 0.0,
                  .relative_energy_error = 0.0};
    ledger.energy_error = now.kinetic + now.stored + now.dissipated + now.sleep_loss_energy -
                          ledger.initial - ledger.external_work;
    ledger.scale =
        std::max({scale, ledger.initial, now.kinetic, now.stored, std::abs(ledger.external_work)});
    if (ledger.scale > 0.0) ledger.relative_energy_error = ledger.energy_error / ledger.scale;
    return ledger;
}

}  // namespace beadwave::observers
