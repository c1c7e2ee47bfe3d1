// Modes of a packing, from its dense matrices.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/dense_damped.hpp"
#include "modes/modes.hpp"

namespace beadwave::modes {

/// The largest number of freedoms for which modes are computed.
inline constexpr std::size_t most_dense = 6000;

DenseMatrices dense_matrices(const linear::PackingOperator& packing);

/// Throws InputError that starts with `name` if there are more freedoms than most_dense.
Modes solve(const linear::PackingOperator& packing, const std::string& name);

}  // namespace beadwave::modes
