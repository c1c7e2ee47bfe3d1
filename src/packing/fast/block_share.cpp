#include "block_share.hpp"

#include <cstring>
#include <utility>

namespace beadwave::packing {
namespace {

constexpr std::size_t halo_piece = 12;

std::byte* as_bytes(std::vector<double>& numbers) {
    return reinterpret_cast<std::byte*>(numbers.data());
}

/// Calls visit(the bytes, their number) for all that travels of these bodies or blocks.
template <class Visit>
void each_part(std::span<const HaloPart> parts, const std::vector<std::uint32_t>& of, Visit visit) {
    for (const std::uint32_t one : of) {
        for (const HaloPart& part : parts)
            visit(part.first + part.stride * one, part.bytes);
    }
}

/// Calls visit(bytes of a particle, bytes of the message) for all that travels of these bodies, in
/// pieces of a size that the compiler copies in place. Returns the end of these in the message.
template <class Visit>
std::byte* each_piece(std::span<const HaloPart> parts, const std::vector<std::uint32_t>& bodies,
                      std::byte* message, Visit visit) {
    each_part(parts, bodies, [&](std::byte* at, std::size_t bytes) {
        for (std::size_t k = 0; k < bytes; k += halo_piece, message += halo_piece)
            visit(at + k, message);
    });
    return message;
}

std::size_t bytes_of(std::span<const HaloPart> parts) {
    std::size_t bytes = 0;
    for (const HaloPart& part : parts)
        bytes += part.bytes;
    return bytes;
}

}  // namespace

BlockShare::BlockShare(ranks::Communicator* ranks, std::size_t particles)
    : ranks_(ranks != nullptr && !ranks->alone() ? ranks : nullptr),
      own_(ranks_ != nullptr ? static_cast<std::size_t>(ranks_->rank()) : 0),
      particles_(particles) {
    const std::size_t count = ranks_ != nullptr ? static_cast<std::size_t>(ranks_->count()) : 1;
    const std::size_t blocks = (particles + block_size - 1) / block_size;
    std::vector<std::size_t> begin;
    for (std::size_t r = 0; r <= count; ++r)
        begin.push_back(r * blocks / count);
    cut(std::move(begin));
    end_halo();
}

std::uint32_t BlockShare::body_of(std::uint32_t slot) const {
    if (has_slot(slot)) return static_cast<std::uint32_t>(begin() + slot - begin_slot());
    const bool is_before = slot < begin_slot();
    const std::vector<std::uint32_t>& among = is_before ? before_ : behind_;
    const auto at = std::ranges::lower_bound(among, slot);
    if (at == among.end() || *at != slot) return none;
    return static_cast<std::uint32_t>((is_before ? 0 : end()) +
                                      static_cast<std::size_t>(at - among.begin()));
}

std::uint32_t BlockShare::slot_of_held(std::size_t body) const {
    if (body < begin()) return before_[body];
    if (body >= end()) return behind_[body - end()];
    return static_cast<std::uint32_t>(begin_slot() + body - begin());
}

void BlockShare::hold(std::span<const std::uint32_t> slots) {
    const auto own = std::ranges::lower_bound(slots, begin_slot());
    before_.assign(slots.begin(), own);
    behind_.assign(own, slots.end());
}

std::vector<std::uint32_t> BlockShare::blocks_of(const std::vector<std::uint32_t>& bodies) const {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t body : bodies)
        blocks.push_back(static_cast<std::uint32_t>(block_of(body)));
    sort_out(blocks);
    return blocks;
}

std::size_t BlockShare::owner(std::size_t slot) const {
    const auto after = std::ranges::upper_bound(block_begin_, slot / block_size);
    return static_cast<std::size_t>(after - block_begin_.begin()) - 1;
}

std::vector<std::size_t> BlockShare::particle_borders(std::size_t width) const {
    std::vector<std::size_t> borders;
    for (std::size_t r = 0; r < block_begin_.size(); ++r)
        borders.push_back(width * slot_border(r));
    return borders;
}

std::vector<std::size_t> BlockShare::block_borders(std::size_t width) const {
    std::vector<std::size_t> borders = block_begin_;
    for (std::size_t& border : borders)
        border *= width;
    return borders;
}

void BlockShare::add_pair(std::uint32_t here, std::uint32_t there) {
    const int rank = static_cast<int>(owner(slot_of(there)));
    auto peer = std::ranges::find(peers_, rank, &Peer::rank);
    if (peer == peers_.end()) peer = peers_.insert(peer, Peer{.rank = rank});
    peer->sent.push_back(here);
    peer->received.push_back(there);
}

void BlockShare::end_halo() {
    border_.clear();
    inner_.clear();
    for (Peer& peer : peers_) {
        sort_out(peer.sent);
        sort_out(peer.received);
        peer.sent_blocks = blocks_of(peer.sent);
        peer.received_blocks = blocks_of(peer.received);
        border_.insert(border_.end(), peer.sent_blocks.begin(), peer.sent_blocks.end());
    }
    sort_out(border_);
    for (std::size_t b = first_block(); b < end_block(); ++b) {
        const auto block = static_cast<std::uint32_t>(b);
        if (!std::ranges::binary_search(border_, block)) inner_.push_back(block);
    }
}

void BlockShare::send(std::span<const HaloPart> of_bodies, std::span<const HaloPart> of_blocks) {
    const auto doubles = [&](const auto& bodies, const auto& blocks) {
        const std::size_t bytes =
            bytes_of(of_bodies) * bodies.size() + bytes_of(of_blocks) * blocks.size();
        return (bytes + sizeof(double) - 1) / sizeof(double);
    };
    const auto put = [](const std::byte* from, std::byte* to) {
        std::memcpy(to, from, halo_piece);
    };
    std::vector<ranks::PeerBuffers> buffers;
    for (Peer& peer : peers_) {
        peer.out.resize(doubles(peer.sent, peer.sent_blocks));
        peer.in.resize(doubles(peer.received, peer.received_blocks));
        std::byte* to = each_piece(of_bodies, peer.sent, as_bytes(peer.out), put);
        each_part(of_blocks, peer.sent_blocks, [&](const std::byte* from, std::size_t bytes) {
            std::memcpy(to, from, bytes);
            to += bytes;
        });
        buffers.push_back({peer.rank, std::move(peer.out), std::move(peer.in)});
    }
    ranks_->start_exchange(std::move(buffers));
}

void BlockShare::receive(std::span<const HaloPart> of_bodies, std::span<const HaloPart> of_blocks) {
    std::vector<ranks::PeerBuffers> buffers = ranks_->finish_exchange();
    const auto take = [](std::byte* to, const std::byte* from) {
        std::memcpy(to, from, halo_piece);
    };
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        Peer& peer = peers_[p];
        peer.out = std::move(buffers[p].out);
        peer.in = std::move(buffers[p].in);
        const std::byte* from = each_piece(of_bodies, peer.received, as_bytes(peer.in), take);
        each_part(of_blocks, peer.received_blocks, [&](std::byte* to, std::size_t bytes) {
            std::memcpy(to, from, bytes);
            from += bytes;
        });
    }
}

}  // namespace beadwave::packing
