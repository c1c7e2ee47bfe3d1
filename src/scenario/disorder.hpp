// Sizes drawn at random, each by its number: whoever builds which part gets the same ones.
#pragma once

#include <cstdint>

namespace beadwave::scenario {

/// By what factor a radius differs from the mean: normal with mean 1. The numbers of one seed are a
/// stream that nothing but the seed decides.
double disordered_radius(double deviation, std::uint64_t seed, std::uint64_t number);

}  // namespace beadwave::scenario
