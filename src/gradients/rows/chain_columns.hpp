// A chain in columns for rows (rows.hpp): what its steps do not change, and what is read of them.
#pragma once

#include "gradients/objective.hpp"
#include "gradients/rows/row_kernel.hpp"
#include "gradients/steps.hpp"
#include "simd/column.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::gradients {

/// Steps of a chunk, see rows.hpp.
inline constexpr std::int64_t row_chunk = 16;

/// Whether the steps of a chain can be taken in rows: its contacts have a law without speed and
/// jumps, its walls are fixed, and beads carry nothing.
bool steps_in_rows(const Steps& steps);

/// Columns of the same length, and pointers to them.
struct ColumnSet {
    std::vector<simd::Column> own;
    std::vector<double*> pointers;
    ColumnSet(std::size_t count, std::size_t length);
    void clear();
};

class ChainColumns {
  public:
    /// A number that a channel reads, and its weight.
    struct Read {
        std::size_t index;  ///< of the bead or contact
        std::size_t channel;
        bool velocity;
        double weight;
    };

    /// `steps` must live as long as this.
    ChainColumns(const Steps& steps, const std::vector<Channel>& channels);
    ChainColumns(const ChainColumns&) = delete;
    ChainColumns& operator=(const ChainColumns&) = delete;

    const Steps& steps() const { return steps_; }
    const RowKernel& kernel() const { return kernel_; }
    const RowChain& chain() const { return chain_; }
    const std::vector<Channel>& channels() const { return channels_; }
    std::size_t beads() const { return beads_; }
    std::size_t length() const { return length_; }  ///< of the columns
    std::size_t law_numbers() const { return law_.own.size(); }
    std::size_t memory_numbers() const { return chain_.memory_numbers; }
    /// The entries of rows that have so many beads which may move.
    std::size_t entries(std::size_t active) const;
    /// All reads, or those of the beads and contacts [begin, end).
    std::span<const Read> reads() const { return reads_; }
    std::span<const Read> reads(std::size_t begin, std::size_t end) const;

  private:
    const Steps& steps_;
    RowKernel kernel_;
    std::size_t beads_, length_;
    ColumnSet law_;
    simd::Column gap_, kick_, body_force_;
    std::vector<std::uint8_t> read_;
    std::vector<Channel> channels_;
    std::vector<Read> reads_;
    RowChain chain_{};
};

/// Calls work(begin, end, step) for the rows of `count` steps of the entries [0, length): bands
/// from left to right, each with all its steps.
template <class Work>
void for_bands(std::size_t length, std::size_t count, const Work& work) {
    constexpr std::size_t band = 512;  // its columns stay in the first cache
    const std::size_t whole = length + (count - 1) * row_block;
    for (std::size_t first = 0; first < whole; first += band) {
        const std::size_t last = std::min(first + band, whole);
        for (std::size_t step = 0; step < count; ++step) {
            const std::size_t back = step * row_block;
            const std::size_t begin = first > back ? first - back : 0;
            const std::size_t end = std::min(length, last > back ? last - back : 0);
            if (begin < end) work(begin, end, step);
        }
    }
}

}  // namespace beadwave::gradients
