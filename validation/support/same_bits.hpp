// Two rows of numbers that should be equal to the bit, also where both are not a number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ranges>

namespace beadwave::validation {

/// False too where the lengths differ or nothing is compared.
bool same_bits(const std::ranges::sized_range auto& one,
               const std::ranges::sized_range auto& other) {
    return std::ranges::size(one) > 0 && std::ranges::equal(one, other, [](double a, double b) {
               return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
           });
}

}  // namespace beadwave::validation
