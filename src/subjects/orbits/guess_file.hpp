// --guess history:FILE: a state to begin with, the last one of a history or that of an orbit.
#pragma once

#include "subjects/orbits/prepared.hpp"

#include <cstdint>

namespace beadwave::tasks {

/// Whether a state is given to begin with: that of a file, or OrbitRequest::near.
bool has_state(const OrbitRequest& request);

/// This state, that of a history moved on with `steps` per period to the start of a period of the
/// drive. Throws InputError: no history of a chain, other beads, no snapshots.
orbits::State read_guess(const Prepared& prepared, const OrbitRequest& request, std::int64_t steps);

}  // namespace beadwave::tasks
