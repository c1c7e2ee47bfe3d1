// What each contact point, each body and the ground dissipated, at samples.
#pragma once

#include "beadwave/recording/dissipation.hpp"
#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"
#include "recording/stream.hpp"

namespace beadwave::mechanism {

/// The sum over all contact points [J]: the entries of the ledger, without the friction of joints.
ContactDissipation total_dissipation(const Sample& sample);

/// Adds what `records` names; nothing without contacts. A body, or the ground as the wall, has half
/// of what each of its contact points dissipated. `now` points to the present sample, and must
/// outlive the description.
void add_dissipation(recording::Description& all, const Mechanism& mechanism,
                     const recording::DissipationRecords& records, const Sample* const* now);

}  // namespace beadwave::mechanism
