// A sum whose order, and so whose bits, never depends on threads: blocks, then the blocks' sums.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace beadwave::packing {

/// Number of terms that are added one after another before their sum is added to the total.
inline constexpr std::size_t sum_block = 512;

/// The total of the sums of blocks, in the order in which they are added.
class BlockTotal {
  public:
    void add(double part) {
        const double sum = total_ + part;
        const double total_size = total_ < 0.0 ? -total_ : total_;
        const double part_size = part < 0.0 ? -part : part;
        lost_ += total_size >= part_size ? (total_ - sum) + part : (part - sum) + total_;
        total_ = sum;
    }
    double value() const { return total_ + lost_; }

  private:
    double total_ = 0.0;
    double lost_ = 0.0;  // the part of the total lost to rounding (Neumaier)
};

/// Sums of the numbers of term(i), an array, for i in [0, count).
template <std::size_t numbers, class Term>
std::array<double, numbers> ordered_sums(std::size_t count, Term term) {
    std::array<BlockTotal, numbers> total;
    for (std::size_t begin = 0; begin < count; begin += sum_block) {
        const std::size_t end = std::min(begin + sum_block, count);
        std::array<double, numbers> part{};
        for (std::size_t i = begin; i < end; ++i) {
            const std::array<double, numbers> one = term(i);
            for (std::size_t k = 0; k < numbers; ++k)
                part[k] += one[k];
        }
        for (std::size_t k = 0; k < numbers; ++k)
            total[k].add(part[k]);
    }
    std::array<double, numbers> sums;
    for (std::size_t k = 0; k < numbers; ++k)
        sums[k] = total[k].value();
    return sums;
}

/// Sum of term(i) for i in [0, count).
template <class Term>
double ordered_sum(std::size_t count, Term term) {
    return ordered_sums<1>(count, [&](std::size_t i) { return std::array{term(i)}; })[0];
}

}  // namespace beadwave::packing
