// The observables that are recorded in addition to the energy ledger, at each of its samples, or,
// if they are measures of a packing, at the interval of these. To add one, add a row to
// observables.cpp: histories, memory and Python then have it, for each system that the row says how
// to compute it for.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "mechanism/result.hpp"
#include "observers/packing_measures.hpp"
#include "packing/packing_engine.hpp"
#include "recording/stream.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::observers {

/// The states that an observable may read. Ranks that share a chain all compute its observables:
/// the engine's spans are those of a rank's own beads and contacts, chain.ranks() adds them up.
struct ChainState {
    const dynamics::Engine& engine;
    const dynamics::Totals& totals;  ///< of the whole chain
    const chain::Chain& chain;
};
struct PackingState {
    const packing::PackingEngine& engine;
    const packing::PackingTotals& totals;
};
using MechanismState = mechanism::Sample;

/// One number, vector or tensor of the whole system, in the dataset /observables/<name>.
struct Observable {
    const char* name;
    const char* unit;                     ///< H5MD's spelling: "kg m s-1"
    const char* meaning;                  ///< for docs/HISTORY.md
    std::vector<std::size_t> shape;       ///< {}: a number; {n}: n numbers; {3, 3}: a tensor
    const char* unit_in_plane = nullptr;  ///< of packings in the plane; null: the same
    bool of_bonds = false;                ///< only of packings with bonds
    // Null: the system does not have it.
    void (*of_chain)(const ChainState& now, std::span<double> out) = nullptr;
    void (*of_packing)(const PackingState& now, std::span<double> out) = nullptr;
    void (*of_mechanism)(const MechanismState& now, std::span<double> out) = nullptr;
    void (*of_measures)(const MeasuredState& now, std::span<double> out) = nullptr;

    std::size_t size() const {
        std::size_t all = 1;
        for (const std::size_t extent : shape)
            all *= extent;
        return all;
    }
};

const std::vector<Observable>& observables();

/// The present numbers of all observables of a system with a State of these.
template <class State>
class Observed {
  public:
    using Compute = void (*)(const State&, std::span<double>);

    /// `of`: &Observable::of_chain, ...; `bonds`: the system has bonds.
    explicit Observed(Compute Observable::*of, bool bonds = false) {
        std::size_t end = 0;
        for (const Observable& each : observables()) {
            if (each.*of == nullptr || (each.of_bonds && !bonds)) continue;
            const std::size_t first = std::exchange(end, end + each.size());
            rows_.push_back({each, each.*of, first});
        }
        numbers_.resize(end);
    }
    Observed(const Observed&) = delete;
    Observed& operator=(const Observed&) = delete;

    /// Computes them; on all ranks together.
    void take(const State& now) {
        for (const Row& row : rows_)
            row.compute(now, std::span(numbers_).subspan(row.first, row.observable.size()));
    }

    /// One per observable: the numbers of the last take().
    std::vector<recording::Channel> channels(bool in_plane = false) const {
        std::vector<recording::Channel> channels;
        for (const Row& row : rows_) {
            channels.push_back({.path = std::string("observables/") + row.observable.name,
                                .unit = in_plane && row.observable.unit_in_plane != nullptr
                                            ? row.observable.unit_in_plane
                                            : row.observable.unit,
                                .shape = row.observable.shape,
                                .fill = [from = &numbers_[row.first]](std::size_t, auto out) {
                                    std::copy_n(from, out.size(), out.begin());
                                }});
        }
        return channels;
    }

  private:
    struct Row {
        const Observable& observable;
        Compute compute;
        std::size_t first;  ///< of its numbers
    };

    std::vector<Row> rows_;
    std::vector<double> numbers_;
};

}  // namespace beadwave::observers
