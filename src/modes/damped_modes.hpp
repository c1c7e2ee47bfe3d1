// Modes of a damped chain: the zeros of det(m lambda^2 + c lambda + k), by the iteration of Ehrlich
// and Aberth [Aberth 1973, Bini and Noferini 2013] for tridiagonal matrices. O(n^2). Masses inside
// beads are eliminated first, which keeps the matrix tridiagonal.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes.hpp"

#include <span>
#include <vector>

namespace beadwave::modes {

/// The largest number of freedoms for which they are computed.
inline constexpr std::size_t most_with_damping = 10000;

/// The zeros with Im >= 0, ascending in size: one per oscillating mode, two per overdamped one.
/// `undamped` [Hz]: ascending, the first `rigid` of them zero. Throws std::runtime_error if they
/// do not pass a test of their sums.
std::vector<Complex> damped_eigenvalues(const linear::ChainOperator& chain,
                                        std::span<const double> undamped, std::size_t rigid,
                                        const Stop& stop = {});

/// The shape of the mode, of all freedoms, its largest number 1.
std::vector<Complex> damped_shape(const linear::ChainOperator& chain, Complex eigenvalue);

}  // namespace beadwave::modes
