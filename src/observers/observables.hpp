// What is recorded beside the energy ledger, at each of its samples. A new one is a row of
// observables.cpp: the history holds it then, through checkpoints and all.
#pragma once

#include "beadwave/dynamics/engine.hpp"

#include <span>
#include <vector>

namespace beadwave::observers {

/// One number of the whole chain: the dataset /observables/<name>.
struct Observable {
    const char* name;
    const char* unit;     ///< H5MD's spelling: "kg m s-1"
    const char* meaning;  ///< for docs/HISTORY.md
    double (*of)(const dynamics::Totals& totals);
};

std::span<const Observable> observables();

/// All of them now, in their order.
std::vector<double> observed(const dynamics::Totals& totals);

}  // namespace beadwave::observers
