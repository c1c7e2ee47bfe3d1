// The matrices of a linear system as lists of entries, for sparse solvers of others.
#pragma once

#include "linear/chain_operator.hpp"
#include "linear/packing_operator.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::linear {

/// Stiffness [N/m] and damping [N s/m] between freedoms; entries at the same place add up. In a
/// periodic box all images of a body are the body itself: the wave vector is 0.
struct Entries {
    std::vector<double> mass;  ///< of each freedom [kg]
    std::vector<std::int64_t> row, column;
    std::vector<double> stiffness, damping;
};

Entries entries_of(const ChainOperator& chain);
Entries entries_of(const PackingOperator& packing);

}  // namespace beadwave::linear
