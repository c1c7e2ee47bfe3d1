// The observables of a packing. To add one, add a row to packing_observables.cpp: to the first
// list, if it is sampled with the energy ledger, to the second, if it is a measure of [measure].
#pragma once

#include "observers/observables.hpp"
#include "packing/packing_engine.hpp"
#include "packing_system/packing_measures.hpp"

#include <vector>

namespace beadwave::observers {

struct PackingState {
    const packing::PackingEngine& engine;
    const packing::PackingTotals& totals;
};

const std::vector<Observable<PackingState>>& packing_observables();
const std::vector<Observable<MeasuredState>>& packing_measures();

}  // namespace beadwave::observers
