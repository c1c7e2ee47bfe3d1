// Starts of motions that random numbers change.
#pragma once

#include "orbits/period_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace beadwave::orbits {

/// Numbers from -1 to 1 that look random (splitmix64, Steele, Lea, Flood 2014).
class Uniform {
  public:
    explicit Uniform(std::uint64_t seed) : state_(seed) {}
    double operator()();

  private:
    std::uint64_t state_;
};

/// `start` and others, whose displacements differ from it by up to `spread` [m] and whose
/// velocities differ by up to spread over period / (2 pi) [s].
std::vector<State> starts_around(const State& start, std::size_t count, double spread,
                                 double period, std::uint64_t seed);

}  // namespace beadwave::orbits
