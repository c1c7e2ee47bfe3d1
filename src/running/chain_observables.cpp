#include "running/chain_observables.hpp"

namespace beadwave::observers {

const std::vector<Observable<ChainState>>& chain_observables() {
    static const std::vector<Observable<ChainState>> all{
        {.name = "momentum",
         .unit = "kg m s-1",
         .meaning = "of all beads, towards higher numbers",
         .shape = {},
         .compute = [](const ChainState& now, auto out) { out[0] = now.totals.momentum; }},
        {.name = "sleep_loss_momentum",
         .unit = "kg m s-1",
         .meaning = "of beads put to sleep by time.sleep_speed since the start",
         .shape = {},
         .compute = [](const ChainState& now,
                       auto out) { out[0] = now.totals.sleep_loss_momentum; }},
        {.name = "largest_contact_force",
         .unit = "N",
         .meaning = "absolute value, of all contacts",
         .shape = {},
         .compute = [](const ChainState& now,
                       auto out) { out[0] = now.totals.largest_contact_force; }},
    };
    return all;
}

}  // namespace beadwave::observers
