// Static equilibrium at the start: the gaps are closed until every contact carries its load.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/scenario.hpp"

#include <cstddef>
#include <optional>

namespace beadwave::chain {

/// The loads of a static equilibrium of a chain without pair forces: contact c from first_contact
/// to last_contact, both included, carries
///
///     squeeze + g * (sum of the masses of beads first to c - 1, with what hangs inside them),
///
/// where g is 0 unless the chain hangs. The loads on the end beads are `squeeze` on bead `first`
/// and the negative force of the last contact on bead `last`.
struct StaticLoads {
    double squeeze = 0.0;  ///< the precompression [N]
    double gravity = 0.0;  ///< [m/s^2]; 0: no weights are carried
    std::size_t first = 0, last = 0;
    std::size_t first_contact = 0, last_contact = 0;
    bool first_is_fixed = false;  ///< bead `first` is held, and its weight with it
    bool loads_first = false, loads_last = false;
};

/// None: the chain starts where the scenario places it. For a chain that one process holds.
std::optional<StaticLoads> static_loads(const Scenario& scenario, const Chain& chain);

/// Sets the gaps and end loads for gravity and precompression.
void solve_static_equilibrium(const Scenario& scenario, Chain& chain);

}  // namespace beadwave::chain
