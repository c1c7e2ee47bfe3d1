// The linear response of a packing to a harmonic wall or force.
//
// Without damping, and with all modes, the response is the sum over them, which is exact; otherwise
// a sparse system is solved at each frequency.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/modes.hpp"

#include <string>

namespace beadwave::modes {

/// The most freedoms for which sparse systems are solved: the memory of a decomposition in space
/// grows as the power 4/3 of them.
inline constexpr std::size_t most_sparse = 40'000;

/// `modes`: of the packing, with shapes; all of them or the lowest. Throws InputError that starts
/// with `name` if the input or a sensor is no particle that moves, or no wall that touches one; if
/// the packing buckles, or has more freedoms than most_sparse and damping or only its lowest
/// modes.
Transfer transfer(const linear::PackingOperator& packing, const Modes& modes,
                  const TransferRequest& request, const std::string& name);

}  // namespace beadwave::modes
