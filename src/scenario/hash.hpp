// The hash of Fowler, Noll and Vo (FNV-1a), 8 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace beadwave::scenario {

class Hash {
  public:
    void add(std::uint64_t word) {
        sum_ = (sum_ ^ word) * 1099511628211u;
        sum_ ^= sum_ >> 32;  // without this, the upper bits of a word affect only the upper bits
    }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(std::span<const double> numbers) {
        add(std::uint64_t{numbers.size()});
        for (const double number : numbers)
            add(number);
    }
    void add(std::string_view text) {
        add(std::uint64_t{text.size()});
        for (const char c : text)
            add(std::uint64_t{static_cast<unsigned char>(c)});
    }
    std::uint64_t sum() const { return sum_; }

  private:
    std::uint64_t sum_ = 14695981039346656037u;
};

}  // namespace beadwave::scenario
