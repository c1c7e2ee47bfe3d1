// A sum whose order, and so whose bits, never depends on threads: blocks, then the blocks' sums.
#pragma once

#include "simd/flush_subnormals.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

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

/// The sums of the terms of block number `block`.
template <std::size_t numbers, class Term>
[[gnu::always_inline]] inline std::array<double, numbers> block_sums(std::size_t block,
                                                                     std::size_t count,
                                                                     const Term& term) {
    const std::size_t begin = block * sum_block, end = std::min(begin + sum_block, count);
    std::array<double, numbers> part{};
    for (std::size_t i = begin; i < end; ++i) {
        const std::array<double, numbers> one = term(i);
        for (std::size_t k = 0; k < numbers; ++k)
            part[k] += one[k];
    }
    return part;
}

/// The sums of all blocks, on several threads. A function of its own: otherwise the loop of one
/// thread would keep less in registers.
template <std::size_t numbers, class Term>
[[gnu::noinline]] std::vector<std::array<double, numbers>> shared_block_sums(std::size_t count,
                                                                             Term term,
                                                                             int threads) {
    std::vector<std::array<double, numbers>> parts((count + sum_block - 1) / sum_block);
    const bool flushes = simd::FlushSubnormals::is_on();  // bits do not depend on threads
#pragma omp parallel num_threads(threads)
    {
        std::optional<simd::FlushSubnormals> flush;
        if (flushes) flush.emplace();
#pragma omp for
        for (std::size_t block = 0; block < parts.size(); ++block)
            parts[block] = block_sums<numbers>(block, count, term);
    }
    return parts;
}

/// Sums of the numbers of term(i), an array, for i in [0, count), on several threads if there are
/// enough blocks.
template <std::size_t numbers, class Term>
std::array<double, numbers> ordered_sums(std::size_t count, Term term, int threads = 1) {
    constexpr std::size_t fewest_shared_blocks = 16;
    const std::size_t blocks = (count + sum_block - 1) / sum_block;
    std::array<BlockTotal, numbers> total;
    const auto add = [&](const std::array<double, numbers>& part) {
        for (std::size_t k = 0; k < numbers; ++k)
            total[k].add(part[k]);
    };
    if (threads > 1 && blocks >= fewest_shared_blocks) {
        for (const auto& part : shared_block_sums<numbers>(count, term, threads))
            add(part);
    } else {
        for (std::size_t block = 0; block < blocks; ++block)
            add(block_sums<numbers>(block, count, term));
    }
    std::array<double, numbers> sums;
    for (std::size_t k = 0; k < numbers; ++k)
        sums[k] = total[k].value();
    return sums;
}

/// Sum of term(i) for i in [0, count).
template <class Term>
double ordered_sum(std::size_t count, Term term, int threads = 1) {
    return ordered_sums<1>(
        count, [&](std::size_t i) { return std::array{term(i)}; }, threads)[0];
}

}  // namespace beadwave::packing
