// The exchange of halos with the neighbouring ranks: one message per side and time block, which
// travels while the inner tiles are computed.
#pragma once

#include "ranks/communicator.hpp"
#include "tile_activity.hpp"
#include "tiled_layout.hpp"
#include "tiled_rows.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

class HaloExchange {
  public:
    /// `first`: number of the bead at index 0; null `ranks`: there are no other ranks.
    HaloExchange(const TileLayout& layout, std::size_t first, ranks::Communicator* ranks)
        : layout_(layout), first_(first), ranks_(ranks) {}
    ~HaloExchange();
    HaloExchange(const HaloExchange&) = delete;
    HaloExchange& operator=(const HaloExchange&) = delete;

    bool any() const { return layout_.left_is_others() || layout_.right_is_others(); }
    /// Whether the tile is next to a tile of another rank.
    bool has(std::size_t tile) const {
        return (tile == 0 && layout_.left_is_others()) ||
               (tile + 1 == layout_.tiles() && layout_.right_is_others());
    }

    /// Discards the received halos.
    void forget();

    /// Sends halos of `halo` beads, and which beads move. The state may change as soon as this
    /// function returns.
    void send(const Rows& state, const TileActivity& activity, std::size_t halo);
    /// Whether halos have been sent; those of the neighbours have arrived or will arrive.
    bool sent() const { return width_ > 0; }
    /// Waits for the halos of the neighbours.
    void receive();
    /// Waits for the halos of the neighbours, and marks which of their beads move.
    void receive(TileActivity& activity);

    // Copy `halo` beads of the received halos; at most as many as were sent.
    void copy_left(Rows& rows, std::size_t to, std::size_t halo) const {
        rows.unpack_motion(left_.in.data() + header, width_, width_ - halo, to, halo);
    }
    void copy_right(Rows& rows, std::size_t to, std::size_t halo) const {
        rows.unpack_motion(right_.in.data() + header, width_, 0, to, halo);
    }

  private:
    /// Numbers before the halo in a message: which beads of the tile move.
    static constexpr std::size_t header = 2;

    void pack(const Rows& state, const TileActivity& activity, std::size_t tile, std::size_t from,
              std::vector<double>& out) const;

    const TileLayout& layout_;
    std::size_t first_;
    ranks::Communicator* ranks_;
    std::size_t width_ = 0;  ///< beads of the halos that were sent; 0: no valid halo
    bool travels_ = false;
    ranks::PeerBuffers left_, right_;
};

}  // namespace beadwave::dynamics
