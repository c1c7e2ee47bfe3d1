// The observables that are recorded in addition to the energy ledger, at each of its samples. To
// add one, add a row to observables.cpp; histories and checkpoints then include it.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <span>
#include <vector>

namespace beadwave::observers {

/// One number for the whole chain, in the dataset /observables/<name>.
struct Observable {
    const char* name;
    const char* unit;     ///< H5MD's spelling: "kg m s-1"
    const char* meaning;  ///< for docs/HISTORY.md
    double (*of)(const dynamics::Totals& totals);
};

std::span<const Observable> observables();

/// The values of all observables, in their order.
std::vector<double> observed(const dynamics::Totals& totals);

}  // namespace beadwave::observers
