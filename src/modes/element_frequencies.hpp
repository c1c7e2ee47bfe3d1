// The frequencies of a chain whose beads carry something, without damping.
//
// As many modes are slower than omega as K - omega^2 M has negative pivots [Sylvester]. Inner
// masses are eliminated first, then the beads from the left; with lambda = omega^2, the spring g of
// bead i to the ground and its inner masses M on springs K, the pivot of bead i is s_i + k_(i+1):
//
//     s_i = g_i + k_i s_(i-1) / (k_i + s_(i-1)) - lambda m_i - sum lambda M K / (K - lambda M)
//
// Every term has a small relative error, so even low frequencies are accurate to rounding.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/interruptible.hpp"

#include <vector>

namespace beadwave::modes {

/// The number of modes of all freedoms with omega^2 below `square` [1/s^2].
std::size_t modes_below(const linear::ChainOperator& chain, double square);

/// [rad/s], ascending; the first `rigid` are 0. By bisection, each by itself: the work grows as the
/// square of the freedoms. Any number of threads gives the same.
std::vector<double> element_frequencies(const linear::ChainOperator& chain, std::size_t rigid,
                                        int threads, const Stop& stop = {});

}  // namespace beadwave::modes
