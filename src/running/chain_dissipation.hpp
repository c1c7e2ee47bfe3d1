// What each contact, bead and wall of a chain dissipated, at snapshots.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "beadwave/recording/dissipation.hpp"
#include "recording/stream.hpp"

#include <vector>

namespace beadwave::running {

/// Adds what `records` names. `of_contacts`: what each contact has dissipated at the last snapshot
/// [J]; it must outlive the description. A bead or wall has half of what each of its contacts has.
void add_chain_dissipation(recording::Description& all, const chain::Chain& chain,
                           const recording::DissipationRecords& records,
                           const std::vector<double>& of_contacts);

}  // namespace beadwave::running
