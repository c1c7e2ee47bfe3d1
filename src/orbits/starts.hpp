// Starts of motions that random numbers change.
#pragma once

#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

/// `start` and others, whose displacements differ from it by up to `spread` [m] and whose
/// velocities differ by up to spread over period / (2 pi) [s].
std::vector<State> starts_around(const State& start, std::size_t count, double spread,
                                 double period, std::uint64_t seed);

}  // namespace beadwave::orbits
