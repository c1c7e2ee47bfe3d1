// The tests' own random numbers. They do not change if the program's random numbers for scenarios
// change.
#pragma once

#include "splitmix.hpp"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace beadwave::validation {

/// A normally distributed number with mean 0 and standard deviation 1, by Box and Muller. It
/// depends only on `seed` and `number`.
inline double normal_number(std::uint64_t seed, std::uint64_t number) {
    const auto uniform = [&](std::uint64_t k) {  // in (0, 1)
        return (static_cast<double>(mixed(mixed(seed) ^ mixed(~k)) >> 11) + 0.5) * 0x1p-53;
    };
    return std::sqrt(-2.0 * std::log(uniform(2 * number))) *
           std::cos(2.0 * std::numbers::pi * uniform(2 * number + 1));
}

}  // namespace beadwave::validation
