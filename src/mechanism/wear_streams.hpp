// What each contact point has worn off, at samples.
#pragma once

#include "mechanism/mechanism.hpp"
#include "mechanism/result.hpp"
#include "recording/stream.hpp"

namespace beadwave::mechanism {

/// Whether a contact wears.
bool wears(const Mechanism&);

/// Adds worn volumes, and the depths of bearings, if contacts wear. `now` points to the present
/// sample, and must outlive the description.
void add_wear(recording::Description& all, const Mechanism& mechanism, const Sample* const* now);

}  // namespace beadwave::mechanism
