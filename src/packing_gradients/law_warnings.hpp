// Warnings of laws whose steps have another derivative than the motion, because it depends on where
// within its step a contact closes or yields.
#pragma once

#include "packing_gradients/listed_pairs.hpp"

#include <string>
#include <vector>

namespace beadwave::packing_gradients {

/// One sentence for each kind of doubt about the laws of the pairs that a run has listed.
std::vector<std::string> law_warnings(const PairTable& table);

}  // namespace beadwave::packing_gradients
