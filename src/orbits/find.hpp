// A periodic orbit of a given frequency, from next to nothing.
//
// Conservative chains: the family of orbits that begins at a linear mode is followed from small
// amplitudes until it has the frequency. A loose chain has no linear modes: the family begins at a
// shape of the same chain under load. Driven chains: the orbit that begins at rest is followed
// while the drive grows to its amplitude.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "orbits/curve.hpp"
#include "orbits/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::orbits {

/// Called between steps of the search; true ends it with std::runtime_error.
using Stop = std::function<bool()>;

struct Search {
    std::shared_ptr<PeriodMap> map;
    const chain::Chain& chain;
    std::string name;                   ///< of the scenario, for messages
    double frequency;                   ///< [Hz]
    std::optional<std::size_t> mode{};  ///< of a conservative chain; none: chosen
    std::size_t which = 1;  ///< of several orbits of this frequency, in the order of the search
    /// The state at the start of a period of the drive; the search begins and ends near it. None:
    /// it begins at a mode, or at rest.
    std::optional<State> near{};
    /// Of a wave that travels: beads of a cell, by which it is further on after a period. 0: an
    /// orbit.
    std::size_t cell = 0;
    /// Of the drive, whose frequency is `frequency`, after which the orbit repeats.
    std::size_t periods = 1;
    Method method = Method::by_size;
    Stop stop{};
};

/// Steps per period that a search takes: many for short chains.
std::int64_t search_steps(std::size_t freedoms);

/// A length to compare displacements with: a static overlap, or the amplitude of the drive [m].
double typical_length(const chain::Chain& chain, const PeriodMap& map);

/// x of an orbit of this frequency; `steps`: of a period, of the drive if there is one. Throws
/// InputError that starts with the name.
std::vector<double> find_orbit(const Search& search, std::int64_t steps);

/// The family of a chain with a fixed parameter, the logarithm of the period / s.
Problem::Family by_period(std::shared_ptr<PeriodMap> map);

}  // namespace beadwave::orbits
