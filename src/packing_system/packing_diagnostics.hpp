// Warnings about a run of a packing that are known before it starts.
#pragma once

#include "beadwave/stepping/time_step.hpp"
#include "packing/packing.hpp"

#include <string>
#include <vector>

namespace beadwave::running {

/// The warnings about a packing and its time step, as for a chain.
std::vector<std::string> diagnose(const packing::Packing& packing,
                                  const stepping::TimeStep& time_step);

}  // namespace beadwave::running
