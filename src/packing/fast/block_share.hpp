// Which blocks of particles this process steps, and what it exchanges with the ranks that step the
// others. A rank has consecutive blocks. It computes all pairs of its particles, so forces never
// travel: at every step it gets the lines of the particles of other ranks that its pairs have, its
// halo.
//
// A slot is the place of a particle in the order of all. Bodies are the particles that this process
// holds, in the order of their slots: its own, and before and behind them those of other ranks
// that may be neighbours of its own. On one process the two numbers are the same.
#pragma once

#include "packing_kernel.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// Particles per block.
inline constexpr std::size_t block_size = 1024;

/// The part of each particle of a halo, or of each of its blocks, that travels: these bytes; of a
/// particle a multiple of 12.
struct HaloPart {
    std::byte* first;  ///< of body 0, or of block 0
    std::size_t stride, bytes;
};

/// All of each block's number.
template <class T>
HaloPart part_of_blocks(std::vector<T>& of_blocks) {
    return {reinterpret_cast<std::byte*>(of_blocks.data()), sizeof(T), sizeof(T)};
}

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

    // The blocks and slots of this process.
    std::size_t first_block() const { return block_begin_[own_]; }
    std::size_t end_block() const { return block_begin_[own_ + 1]; }
    std::size_t own_blocks() const { return end_block() - first_block(); }
    bool has_block(std::size_t b) const { return b >= first_block() && b < end_block(); }
    std::size_t begin_slot() const { return begin_slot_; }
    std::size_t end_slot() const { return end_slot_; }
    bool has_slot(std::size_t slot) const { return slot >= begin_slot() && slot < end_slot(); }
    // Its own particles among its bodies.
    std::size_t begin() const { return before_.size(); }
    std::size_t end() const { return begin() + (end_slot() - begin_slot()); }
    bool has(std::size_t body) const { return body >= begin() && body < end(); }
    std::size_t block_begin(std::size_t b) const { return begin() + b * block_size - begin_slot(); }
    std::size_t block_end(std::size_t b) const {
        return std::min(block_begin(b) + block_size, end());
    }

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::size_t bodies() const { return end() + behind_.size(); }
    /// none: this process does not hold it.
    std::uint32_t body_of(std::uint32_t slot) const;
    std::uint32_t slot_of(std::size_t body) const {
        return shared() ? slot_of_held(body) : static_cast<std::uint32_t>(body);
    }
    std::size_t block_of(std::size_t body) const { return slot_of(body) / block_size; }
    /// The particles of other ranks among the bodies from now on: ascending slots.
    void hold(std::span<const std::uint32_t> slots);

    /// The rank that has this slot.
    std::size_t owner(std::size_t slot) const;
    /// For Communicator::share(): where the numbers of each rank begin, `width` per particle or per
    /// block.
    std::vector<std::size_t> particle_borders(std::size_t width) const;
    std::vector<std::size_t> block_borders(std::size_t width) const;

    /// The first block of each rank from now on, and the number of all. The same on all ranks.
    void cut(std::vector<std::size_t> block_begin) {
        block_begin_ = std::move(block_begin);
        begin_slot_ = slot_border(own_);
        end_slot_ = slot_border(own_ + 1);
    }

    // The halo. Both sides find the same lists from their pairs.

    void begin_halo() { peers_.clear(); }  ///< a new list
    /// Bodies: a pair of a particle here and one of another rank, or of their images.
    void add_pair(std::uint32_t here, std::uint32_t there);
    void end_halo();
    /// Own blocks with particles in a halo of others, ascending, and the other own blocks.
    std::span<const std::uint32_t> border_blocks() const { return border_; }
    std::span<const std::uint32_t> inner_blocks() const { return inner_; }

    /// Starts to exchange these parts of the halos' particles and of their blocks.
    void send(std::span<const HaloPart> of_bodies, std::span<const HaloPart> of_blocks);
    /// Waits for what others have sent by the same call.
    void receive(std::span<const HaloPart> of_bodies, std::span<const HaloPart> of_blocks);

  private:
    struct Peer {
        int rank;
        std::vector<std::uint32_t> sent{}, received{};  // bodies
        std::vector<std::uint32_t> sent_blocks{}, received_blocks{};
        std::vector<double> out{}, in{};
    };

    std::uint32_t slot_of_held(std::size_t body) const;
    std::vector<std::uint32_t> blocks_of(const std::vector<std::uint32_t>& bodies) const;
    std::size_t slot_border(std::size_t rank) const {
        return std::min(particles_, block_begin_[rank] * block_size);
    }
    ranks::Communicator* ranks_;
    std::size_t own_, particles_;
    std::vector<std::size_t> block_begin_;        // of each rank
    std::size_t begin_slot_ = 0, end_slot_ = 0;   // of this one
    std::vector<std::uint32_t> before_, behind_;  // slots of bodies of other ranks
    std::vector<Peer> peers_;
    std::vector<std::uint32_t> border_, inner_;
};

}  // namespace beadwave::packing
