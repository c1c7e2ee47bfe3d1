#include "observers/balance.hpp"

#include <algorithm>

namespace beadwave::observers {

using recording::Ledger;

Ledger balance(const dynamics::Totals& start, const dynamics::Totals& now, double scale) {
    Ledger ledger{.initial = start.kinetic + start.stored,
                  .kinetic = now.kinetic,
                  .stored = now.stored,
                  .dissipated = now.dissipated,
                  .broken_energy = now.broken_energy,
                  .external_work = now.external_work,
                  .sleep_loss = now.sleep_loss_energy};
    ledger.close(now.kinetic + now.stored + now.dissipated + now.sleep_loss_energy -
                     ledger.initial - ledger.external_work,
                 std::max(scale, now.kinetic));
    return ledger;
}

}  // namespace beadwave::observers
