// SplitMix64: simple random numbers that are the same on every platform.
#pragma once

#include <cstdint>

namespace beadwave::validation {

inline constexpr std::uint64_t splitmix_stride = 0x9E3779B97F4A7C15ULL;

/// The number that follows `x`, well mixed.
inline std::uint64_t mixed(std::uint64_t x) {
    x += splitmix_stride;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

}  // namespace beadwave::validation
