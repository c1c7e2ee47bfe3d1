// The observables that are recorded in addition to the energy ledger, at each of its samples, or,
// if they are measures, at the interval of these. Each system has a list of rows
// (running/chain_observables.cpp, ...): histories, memory and Python have what is in it.
#pragma once

#include "recording/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::observers {

/// One number, vector or tensor of the whole system, in the dataset /observables/<name>. `State`:
/// what it is computed from.
template <class State>
struct Observable {
    const char* name;
    const char* unit;                     ///< H5MD's spelling: "kg m s-1"
    const char* meaning;                  ///< for docs/HISTORY.md
    std::vector<std::size_t> shape;       ///< {}: a number; {n}: n numbers; {3, 3}: a tensor
    const char* unit_in_plane = nullptr;  ///< of systems in the plane; null: the same
    bool of_bonds = false;                ///< only of systems with bonds
    bool of_shapes = false;               ///< only of systems with bodies that are no spheres
    void (*compute)(const State& now, std::span<double> out) = nullptr;

    std::size_t size() const {
        std::size_t all = 1;
        for (const std::size_t extent : shape)
            all *= extent;
        return all;
    }
};

/// The present numbers of all observables of a list.
template <class State>
class Observed {
  public:
    /// `all` must outlive it; `bonds`, `shapes`: the system has bonds, and bodies that are no
    /// spheres.
    explicit Observed(const std::vector<Observable<State>>& all, bool bonds = false,
                      bool shapes = false) {
        std::size_t end = 0;
        for (const Observable<State>& each : all) {
            if ((each.of_bonds && !bonds) || (each.of_shapes && !shapes)) continue;
            const std::size_t first = std::exchange(end, end + each.size());
            rows_.push_back({each, first});
        }
        numbers_.resize(end);
    }
    Observed(const Observed&) = delete;
    Observed& operator=(const Observed&) = delete;

    /// Computes them; on all ranks together.
    void take(const State& now) {
        for (const Row& row : rows_) {
            row.observable.compute(now,
                                   std::span(numbers_).subspan(row.first, row.observable.size()));
        }
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
        const Observable<State>& observable;
        std::size_t first;  ///< of its numbers
    };

    std::vector<Row> rows_;
    std::vector<double> numbers_;
};

}  // namespace beadwave::observers
