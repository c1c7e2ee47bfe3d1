// Which blocks of particles this process steps, and what it exchanges with the ranks that step the
// others. A rank has consecutive blocks. It computes all pairs of its particles, so forces never
// travel: at every step it gets the lines of the particles of other ranks that its pairs have, its
// halo.
#pragma once

#include "packing_kernel.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace beadwave::packing {

/// Particles per block.
inline constexpr std::size_t block_size = 1024;

/// Sorts the numbers and leaves each only once.
inline void sort_out(std::vector<std::uint32_t>& numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

class BlockShare {
  public:
    /// Null, or a single rank: this process has all blocks. There must be a block for each rank.
    BlockShare(ranks::Communicator* ranks, std::size_t particles);

    bool shared() const { return ranks_ != nullptr; }
    ranks::Communicator& ranks() const { return *ranks_; }

    // Of this process.
    std::size_t first_block() const { return block_begin_[own_]; }
    std::size_t end_block() const { return block_begin_[own_ + 1]; }
    std::size_t begin() const { return slot_border(own_); }    ///< slots of particles
    std::size_t end() const { return slot_border(own_ + 1); }  ///< the last one + 1
    bool has(std::size_t slot) const { return slot >= begin() && slot < end(); }
    bool has_block(std::size_t b) const { return b >= first_block() && b < end_block(); }

    /// The rank that has this slot.
    std::size_t owner(std::size_t slot) const;
    /// For Communicator::share(): where the numbers of each rank begin, `width` per particle or per
    /// block.
    std::vector<std::size_t> particle_borders(std::size_t width) const;
    std::vector<std::size_t> block_borders(std::size_t width) const;

    /// Cuts the blocks anew: about the same weight for each rank. The same on all ranks.
    void cut(std::span<const double> weight_of_block);

    // The halo. Both sides find the same lists from their pairs.

    void begin_halo() { peers_.clear(); }  ///< a new list
    /// A pair of a particle here and one on another rank, or of their images.
    void add_pair(std::uint32_t here, std::uint32_t there);
    void end_halo();
    /// Own blocks with particles in a halo of others, ascending, and the other own blocks.
    std::span<const std::uint32_t> border_blocks() const { return border_; }
    std::span<const std::uint32_t> inner_blocks() const { return inner_; }

    /// Starts to exchange the halos' lines, except those that are null, and the numbers of quiet
    /// steps of their blocks; none: an empty span.
    void send(const Lines& lines, std::span<const int> quiet_steps);
    /// Waits for what others have sent by the same call.
    void receive(const Lines& lines, std::span<int> quiet_steps);

  private:
    struct Peer {
        int rank;
        std::vector<std::uint32_t> sent{}, received{};  // slots
        std::vector<std::uint32_t> sent_blocks{}, received_blocks{};
        std::vector<double> out{}, in{};
    };

    std::size_t slot_border(std::size_t rank) const {
        return std::min(particles_, block_begin_[rank] * block_size);
    }
    ranks::Communicator* ranks_;
    std::size_t own_, particles_;
    std::vector<std::size_t> block_begin_;  // of each rank
    std::vector<Peer> peers_;
    std::vector<std::uint32_t> border_, inner_;
};

}  // namespace beadwave::packing
