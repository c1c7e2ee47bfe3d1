// Where the tiles of another rank begin: what the outermost tiles here tell them, and hear of them,
// in one message a side for a round, which travels while inner tiles are worked on.
#pragma once

#include "ranks/ranks.hpp"
#include "tile_watch.hpp"
#include "tiled_layout.hpp"
#include "tiled_rows.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::dynamics {

class TiledBorders {
  public:
    /// `first`: number of the bead at place 0; null `ranks`: there are no others.
    TiledBorders(const TileLayout& layout, std::size_t first, ranks::Ranks* ranks)
        : layout_(layout), first_(first), ranks_(ranks) {}
    ~TiledBorders();
    TiledBorders(const TiledBorders&) = delete;
    TiledBorders& operator=(const TiledBorders&) = delete;

    bool any() const { return layout_.left_is_others() || layout_.right_is_others(); }
    /// Whether a tile has one of another rank beside it.
    bool has(std::size_t tile) const {
        return (tile == 0 && layout_.left_is_others()) ||
               (tile + 1 == layout_.tiles() && layout_.right_is_others());
    }

    /// What was heard is of no use any more.
    void forget();

    /// Sends off halos of `halo` beads, and which beads move; the state may change as soon as this
    /// returns.
    void send(const Rows& state, const TileWatch& watch, std::size_t halo);
    /// Whether halos have been sent, and the neighbours' have come or will.
    bool sent() const { return width_ > 0; }
    /// Waits for the neighbours' halos.
    void receive();
    /// The same, and says which of their beads move.
    void receive(TileWatch& watch);

    // Of those that came, `halo` beads at most as many as were sent.
    void copy_left(Rows& rows, std::size_t to, std::size_t halo) const {
        rows.unpack_motion(left_in_.data() + header, width_, width_ - halo, to, halo);
    }
    void copy_right(Rows& rows, std::size_t to, std::size_t halo) const {
        rows.unpack_motion(right_in_.data() + header, width_, 0, to, halo);
    }

  private:
    /// Numbers before the halo: what moves of the tile.
    static constexpr std::size_t header = 2;

    void pack(const Rows& state, const TileWatch& watch, std::size_t tile, std::size_t from,
              std::vector<double>& out) const;

    const TileLayout& layout_;
    std::size_t first_;
    ranks::Ranks* ranks_;
    std::size_t width_ = 0;  ///< beads of a halo that was sent; 0: none is of use
    bool travels_ = false;
    std::vector<double> left_out_, left_in_, right_out_, right_in_;
};

}  // namespace beadwave::dynamics
