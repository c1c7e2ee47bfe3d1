// Modes of a chain with forces without contact that reach beyond the next bead.
//
// Its matrices have up to 16 numbers beside the diagonal, more where beads carry masses. They are
// made tridiagonal (tridiagonal_of_band.hpp), for LAPACK. The eigenvalues then all have an absolute
// error of the rounding of the largest one. Low ones that stand apart are improved: by inverse
// iteration [Wielandt], and by the Rayleigh quotient of the energies of the springs, whose terms
// have small relative errors. In a crowd inverse iteration would lead to another mode: there
// LAPACK's value is the better one.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/interruptible.hpp"

#include <vector>

namespace beadwave::modes {

/// [rad/s], ascending; the first `rigid` are 0. The work grows as the square of the freedoms. Any
/// number of threads gives the same. LAPACK does not ask `stop` while it solves the tridiagonal
/// matrix: for 4 s of 20,000 freedoms.
std::vector<double> far_frequencies(const linear::ChainOperator& chain, std::size_t rigid,
                                    int threads, const Stop& stop = {});

}  // namespace beadwave::modes
