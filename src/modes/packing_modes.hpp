// Modes of a packing, from its dense matrices.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/modes.hpp"

namespace beadwave::modes {

/// The largest numbers of freedoms for which modes, and damped modes, are computed.
inline constexpr std::size_t most_dense = 6000, most_dense_damped = 600;

/// Stiffness and damping, divided by the square roots of the masses of row and column; symmetric.
struct DenseMatrices {
    std::vector<double> stiffness, damping;  ///< damping is empty if there is none
};
DenseMatrices dense_matrices(const linear::PackingOperator& packing);

/// Throws InputError that starts with `name` if there are more freedoms than most_dense.
Modes solve(const linear::PackingOperator& packing, const std::string& name);

}  // namespace beadwave::modes
