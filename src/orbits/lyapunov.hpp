// Lyapunov exponents of a chain: how fast neighbouring states separate.
//
// A few directions go along with the motion through the exact derivative of each period; after each
// period they are made orthogonal, and the logarithms of their lengths add up (Benettin 1980).
#pragma once

#include "orbits/find.hpp"
#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

struct LyapunovRequest {
    double period;              ///< of the drive; of a chain without one, of the sums [s]
    std::size_t exponents = 4;  ///< at most twice the freedoms
    std::int64_t steps = 400;   ///< of a period
    std::int64_t transient = 200, periods = 20'000;
    Stop stop{};
};

struct Lyapunov {
    std::vector<double> exponents{}, standard_errors{};  ///< largest first [1/s]
    std::int64_t periods = 0;
};

/// From a state; `length` [m] compares displacements with velocities only. The standard errors are
/// those of the means of 50 blocks. Throws std::runtime_error if the motion is not finite.
Lyapunov lyapunov(PeriodMap& map, State state, const LyapunovRequest& request);

}  // namespace beadwave::orbits
