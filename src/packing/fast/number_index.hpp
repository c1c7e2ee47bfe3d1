// Where a number is in a list of distinct numbers: a table with open addressing.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::packing {

class NumberIndex {
  public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    void reset(std::span<const std::uint32_t> numbers) {
        table_.assign(std::bit_ceil(numbers.size() + numbers.size() / 2 + 2), none);
        for (std::size_t k = 0; k < numbers.size(); ++k)
            table_[slot_of(numbers[k], numbers)] = static_cast<std::uint32_t>(k);
    }
    /// The index of a number in the list that reset() has got; none: it is not there.
    std::uint32_t find(std::uint32_t number, std::span<const std::uint32_t> numbers) const {
        return table_.empty() ? none : table_[slot_of(number, numbers)];
    }

  private:
    /// Where the number is in the table, or the free slot where it belongs.
    std::size_t slot_of(std::uint32_t number, std::span<const std::uint32_t> numbers) const {
        constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
        const std::size_t mask = table_.size() - 1;
        std::size_t at = static_cast<std::size_t>(number * golden >> 20) & mask;
        while (table_[at] != none && numbers[table_[at]] != number)
            at = (at + 1) & mask;
        return at;
    }

    std::vector<std::uint32_t> table_;
};

}  // namespace beadwave::packing
