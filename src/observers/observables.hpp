// The observables that are recorded in addition to the energy ledger, at each of its samples. To
// add one, add a row to observables.cpp: histories, memory and Python then have it, for each system
// that the row says how to compute it for.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "mechanism/result.hpp"
#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <span>
#include <string>
#include <vector>

namespace beadwave::observers {

/// The states that an observable may read.
struct ChainState {
    const dynamics::Engine& engine;
    const dynamics::Totals& totals;
};
struct PackingState {
    const packing::PackingEngine& engine;
    const packing::PackingTotals& totals;
};
using MechanismState = mechanism::Sample;

/// One number or vector of the whole system, in the dataset /observables/<name>.
struct Observable {
    const char* name;
    const char* unit;     ///< H5MD's spelling: "kg m s-1"
    const char* meaning;  ///< for docs/HISTORY.md
    std::vector<std::size_t> shape;
    // Null: the system does not have it.
    void (*of_chain)(const ChainState& now, std::span<double> out) = nullptr;
    void (*of_packing)(const PackingState& now, std::span<double> out) = nullptr;
    void (*of_mechanism)(const MechanismState& now, std::span<double> out) = nullptr;
};

const std::vector<Observable>& observables();

/// The channels of all observables of a system. `state` returns the present ChainState,
/// PackingState or MechanismState; `of` is the function for it: &Observable::of_chain, ...
template <class Function, class State>
std::vector<recording::Channel> observable_channels(Function Observable::*of, const State& state) {
    std::vector<recording::Channel> channels;
    for (const Observable& each : observables()) {
        const Function compute = each.*of;
        if (compute == nullptr) continue;
        channels.push_back({.path = std::string("observables/") + each.name,
                            .unit = each.unit,
                            .shape = each.shape,
                            .fill = [compute, state](std::size_t, std::span<double> out) {
                                compute(state(), out);  // few numbers: always all of them
                            }});
    }
    return channels;
}

}  // namespace beadwave::observers
