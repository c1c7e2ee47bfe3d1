// Random radii. Each depends on its number only, so every process gets the same radii.
#pragma once

#include <cstdint>

namespace beadwave::scenario {

/// Ratio of a radius to the mean radius: normally distributed with mean 1. The seed alone decides
/// the stream of numbers.
double disordered_radius(double deviation, std::uint64_t seed, std::uint64_t number);

}  // namespace beadwave::scenario
