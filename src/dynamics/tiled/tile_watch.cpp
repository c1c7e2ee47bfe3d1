#include "tile_watch.hpp"

#include <algorithm>

namespace beadwave::dynamics {

TileWatch::TileWatch(const TileLayout& layout, bool sleep)
    : layout_(layout), sleep_(sleep), moving_(layout.tiles()) {
    windows_.reserve(layout.tiles());
    fresh_.reserve(layout.tiles());
    plan_all();
}

void TileWatch::plan_all() {
    windows_.clear();
    for (std::size_t t = 0; t < layout_.tiles(); ++t)
        windows_.push_back({t, layout_.borders[t], layout_.borders[t + 1]});
    planned_beads_ = layout_.borders.back() - layout_.borders.front();
}

bool TileWatch::one_whole_tile() const {
    return layout_.all_tiles == 1 &&
           (!sleep_ || (moving_[0].begin == 0 && moving_[0].end == layout_.end));
}

Window TileWatch::window(std::size_t tile, std::size_t reach) const {
    const std::size_t tile_begin = layout_.borders[tile], tile_end = layout_.borders[tile + 1];
    if (!sleep_) return {tile, tile_begin, tile_end};
    if (layout_.halo == 0) return {tile, tile_begin, moving_[tile].empty() ? tile_begin : tile_end};
    Window hull{tile, tile_end, tile_begin};
    const auto wake = [&](const Extent& moving) {
        if (moving.empty()) return;
        const std::size_t begin = moving.begin - std::min(moving.begin, reach);
        const std::size_t end = moving.end + reach;
        hull.begin = std::min(hull.begin, std::max(begin, tile_begin));
        hull.end = std::max(hull.end, std::min(end, tile_end));
    };
    wake(tile == 0 ? before_ : moving_[tile - 1]);
    wake(moving_[tile]);
    wake(tile + 1 == layout_.tiles() ? behind_ : moving_[tile + 1]);
    if (hull.begin >= hull.end) return {tile, tile_begin, tile_begin};
    return hull;
}

void TileWatch::ask(std::size_t tile, std::size_t reach) {
    const Window wanted = window(tile, reach);
    if (wanted.begin == wanted.end) return;
    fresh_.push_back(wanted);
    planned_beads_ += wanted.end - wanted.begin;
}

std::span<const Window> TileWatch::plan(std::size_t reach) {
    fresh_.clear();
    planned_beads_ = 0;
    std::size_t next = 0;  // the first tile not asked yet
    if (!before_.empty()) ask(next++, reach);
    for (const Window& seen : windows_) {
        const std::size_t last = std::min(seen.tile + 1, layout_.tiles() - 1);
        for (next = std::max(next, seen.tile == 0 ? 0 : seen.tile - 1); next <= last; ++next)
            ask(next, reach);
    }
    if (!behind_.empty() && next < layout_.tiles()) ask(layout_.tiles() - 1, reach);
    std::swap(windows_, fresh_);
    return windows_;
}

}  // namespace beadwave::dynamics
