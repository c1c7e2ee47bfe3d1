// Lyapunov exponents of a chain: how fast neighbouring states separate.
//
// A few directions go along with the motion through the exact derivative of its steps; after each
// period they are made orthogonal, and the logarithms of their lengths add up (Benettin, Galgani,
// Giorgilli, Strelcyn, Meccanica 15, 1980).
#pragma once

#include "orbits/find.hpp"
#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

struct LyapunovRequest {
    double period;              ///< of the drive; of a chain without one, of the sums [s]
    std::int64_t steps;         ///< of a period
    std::size_t exponents = 4;  ///< at most twice the freedoms
    std::int64_t transient = 100, periods = 400;  ///< of each start
    std::size_t starts = 1;
    /// Starts after the first one have random displacements up to this, at random velocities up to
    /// this over period / (2 pi) [m].
    double spread = 0.0;
    std::uint64_t seed = 1;
    Stop stop{};
};

struct Lyapunov {
    std::vector<double> exponents{}, standard_errors{};  ///< largest first [1/s]
    std::vector<double> largest_of_starts{};             ///< [1/s]
    /// Whether the starts differ by more than chance: they have not reached one and the same state.
    bool starts_differ = false;
    double least_overlap = 0.0;  ///< of all contacts at any time [m]
    bool crossed_jump = false;   ///< see PeriodMap::crossed_jump()
};

/// The standard errors are those of the mean over the starts, from eight of them on; of fewer, of
/// the mean over blocks of time, and not below half of the change from the first to the second half
/// of the time. Throws std::runtime_error if the motion is not finite.
Lyapunov lyapunov(PeriodMap& map, const State& start, const LyapunovRequest& request);

}  // namespace beadwave::orbits
