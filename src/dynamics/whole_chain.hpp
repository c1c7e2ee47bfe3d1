// What the choice of the time step asks of all beads of a chain, on whichever process they are. All
// processes call these functions together.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "chain/prefix_sums.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace beadwave::dynamics {

/// The largest of the numbers of all processes.
inline double largest_of_all(const chain::Chain& chain, double own) {
    if (chain.partition) chain.partition->ranks->largest({&own, 1});
    return own;
}

/// Whether the contact is between two bodies of which one moves.
inline bool touches(const chain::Chain& chain, std::size_t c) {
    return chain.effective_mass(c) > 0.0;
}

/// The gap through which a bead may fall [m].
inline double open_gap(const chain::Chain& chain, std::size_t c) {
    return std::isfinite(chain.gap[c]) ? std::max(0.0, chain.start_gap(c)) : 0.0;
}

/// The sum of all these gaps [m].
inline double open_gaps(const chain::Chain& chain) {
    const std::size_t n = chain.beads();
    const bool right_end = chain.first() + n == chain.total();
    const double inner = chain::whole_sum(chain, [&](std::size_t c) { return open_gap(chain, c); });
    return inner + largest_of_all(chain, right_end ? open_gap(chain, n) : 0.0);
}

}  // namespace beadwave::dynamics
