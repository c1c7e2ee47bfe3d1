// The linear response of a packing to a harmonic wall or force.
//
// Without damping the response is the sum over all modes, which is exact; with damping a dense
// system is solved at each frequency.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/modes.hpp"

#include <string>

namespace beadwave::modes {

/// `modes`: of the packing, with shapes. Throws InputError that starts with `name` if the input or
/// a sensor is no particle that moves, or no wall that touches one; if the packing buckles, or has
/// damping and more freedoms than most_dense_damped.
Transfer transfer(const linear::PackingOperator& packing, const Modes& modes,
                  const TransferRequest& request, const std::string& name);

}  // namespace beadwave::modes
