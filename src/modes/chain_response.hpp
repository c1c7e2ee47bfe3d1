// Harmonic forces on a chain, and what they move.
//
// A mass inside a bead is eliminated first: with its spring b = k + lambda c and d = M lambda^2 + b
// it adds b - b^2/d to the bead, which leaves a tridiagonal system.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/modes.hpp"

#include <vector>

namespace beadwave::modes {

/// Solves (M lambda^2 + C lambda + K) u = f. `diagonal`: of the beads and contacts alone. `motion`:
/// f of all freedoms [N], replaced by u [m]. False if the system is singular.
bool solve_chain(const linear::ChainOperator& chain, Complex lambda, std::vector<Complex> diagonal,
                 std::vector<Complex>& motion);

}  // namespace beadwave::modes
