// The lowest modes of a large packing, without its matrices.
//
// A subspace is iterated with polynomials of the stiffness operator (lowest_subspace.hpp). The
// operator is applied contact by contact; nothing is factorised, so memory grows as the number of
// particles.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/interruptible.hpp"
#include "modes/modes.hpp"

#include <string>

namespace beadwave::modes {

/// The `count` lowest modes with shapes, without damping. Frequencies are accurate to 1e-8 of their
/// own, or a warning says how much less. Bodies that touch nothing have one mode of zero frequency
/// for each of their freedoms; these come first. Throws InputError that starts with `name` if the
/// other bodies do not have twice as many freedoms as modes are left.
Modes solve_lowest(const linear::PackingOperator& packing, std::size_t count, int threads,
                   const std::string& name, const Stop& stop = {});

}  // namespace beadwave::modes
