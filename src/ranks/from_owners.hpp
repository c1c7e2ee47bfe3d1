// Numbers that one rank has and all ranks need, to the bit.
#pragma once

#include "ranks/communicator.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::ranks {

/// Each number is that of the one rank where its bits are not all zero, on all ranks. Collective.
inline void share_bits(Communicator& ranks, std::span<double> numbers) {
    std::vector<std::int64_t> bits;
    bits.reserve(numbers.size());
    for (const double number : numbers)
        bits.push_back(std::bit_cast<std::int64_t>(number));
    ranks.sum(bits);
    for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = std::bit_cast<double>(bits[k]);
}

/// number(element) of each element of a list that all ranks have: of the rank on which
/// owned(element) is true. Collective, unless the list is empty; null: there is one rank.
template <class List, class Owned, class Number>
std::vector<double> from_owners(Communicator* ranks, const List& list, const Owned& owned,
                                const Number& number) {
    std::vector<double> numbers;
    numbers.reserve(list.size());
    for (const auto& element : list)
        numbers.push_back(owned(element) ? number(element) : 0.0);
    if (ranks != nullptr && !numbers.empty()) share_bits(*ranks, numbers);
    return numbers;
}

}  // namespace beadwave::ranks
