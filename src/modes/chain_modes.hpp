// Modes of a chain.
//
// Without damping: omega are the singular values of the bidiagonal matrix that takes the beads'
// displacements times sqrt(m) to the contacts' compressions times sqrt(k). This gives even the
// lowest frequency to rounding; the eigenvalues of the stiffness matrix would lose it. Those of
// long chains: see sliced_frequencies.hpp. Of chains whose beads carry something: see
// element_frequencies.hpp; their shapes are those of LAPACK. Where forces without contact reach
// beyond the next bead: see far_modes.hpp. With damping: see damped_modes.hpp, dense_damped.hpp.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes.hpp"

namespace beadwave::modes {

/// The largest number of degrees of freedom for which shapes are computed.
inline constexpr std::size_t most_with_shapes = 2000;

/// Freedoms: beads, then the masses inside them.
Modes solve(const linear::ChainOperator& chain, int threads = 1, const Stop& stop = {});

}  // namespace beadwave::modes
