#include "tile_activity.hpp"

#include <algorithm>

namespace beadwave::dynamics {

TileActivity::TileActivity(const TileLayout& layout, bool sleep)
    : layout_(layout), sleep_(sleep), moving_(layout.tiles()) {
    windows_.reserve(layout.tiles());
    fresh_.reserve(layout.tiles());
    plan_all();
}

void TileActivity::plan_all() {
    windows_.clear();
    for (std::size_t t = 0; t < layout_.tiles(); ++t)
        windows_.push_back({t, layout_.borders[t], layout_.borders[t + 1]});
    planned_beads_ = layout_.borders.back() - layout_.borders.front();
}

bool TileActivity::one_whole_tile() const {
    return layout_.all_tiles == 1 &&
           (!sleep_ || (moving_[0].begin == 0 && moving_[0].end == layout_.end));
}

ActiveWindow TileActivity::window(std::size_t tile, std::size_t reach) const {
    const std::size_t tile_begin = layout_.borders[tile], tile_end = layout_.borders[tile + 1];
    if (!sleep_) return {tile, tile_begin, tile_end};
    if (layout_.halo == 0) return {tile, tile_begin, moving_[tile].empty() ? tile_begin : tile_end};
    ActiveWindow hull{tile, tile_end, tile_begin};
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

void TileActivity::add_window(std::size_t tile, std::size_t reach) {
    const ActiveWindow wanted = window(tile, reach);
    if (wanted.begin == wanted.end) return;
    fresh_.push_back(wanted);
    planned_beads_ += wanted.end - wanted.begin;
}

std::span<const ActiveWindow> TileActivity::plan(std::size_t reach) {
    fresh_.clear();
    planned_beads_ = 0;
    std::size_t next = 0;  // the first tile not considered yet
    if (!before_.empty()) add_window(next++, reach);
    for (const ActiveWindow& earlier : windows_) {
        const std::size_t last = std::min(earlier.tile + 1, layout_.tiles() - 1);
        for (next = std::max(next, earlier.tile == 0 ? 0 : earlier.tile - 1); next <= last; ++next)
            add_window(next, reach);
    }
    if (!behind_.empty() && next < layout_.tiles()) add_window(layout_.tiles() - 1, reach);
    std::swap(windows_, fresh_);
    return windows_;
}

}  // namespace beadwave::dynamics
