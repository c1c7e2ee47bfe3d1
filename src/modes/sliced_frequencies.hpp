// All frequencies of a long chain, by slices of its spectrum.
//
// Counts of nodes (nodes/node_kernel.hpp) say how many modes each slice has. Slices are split until
// each has one, whose frequency then is a root of the motion's end. The work grows as the square of
// the beads, as that of LAPACK's dqds does, but lanes and threads share it.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/interruptible.hpp"
#include "simd/instruction_sets.hpp"

#include <vector>

namespace beadwave::modes {

/// [rad/s], ascending, accurate to rounding; rigid modes are 0. Any number of threads gives the
/// same.
std::vector<double> sliced_frequencies(
    const linear::ChainOperator& chain, int threads, const Stop& stop = {},
    const simd::InstructionSet& instructions = simd::instruction_sets().front());

}  // namespace beadwave::modes
