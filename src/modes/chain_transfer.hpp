// The linear response of a chain to a harmonic wall or force.
#pragma once

#include "linear/chain_operator.hpp"
#include "modes/modes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::modes {

/// Throws InputError that starts with `name` if the input or a sensor is no bead that moves, or no
/// wall that touches the chain; or if a frequency is that of an undamped mode.
Transfer transfer(const linear::ChainOperator& chain, const TransferRequest& request,
                  const std::string& name);

}  // namespace beadwave::modes
