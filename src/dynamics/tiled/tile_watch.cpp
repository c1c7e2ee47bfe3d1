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
    planned_beads_ = layout_.end();
}

bool TileWatch::one_whole_tile() const {
    return moving_.size() == 1 &&
           (!sleep_ || (moving_[0].begin == 0 && moving_[0].end == layout_.end()));
}

void TileWatch::save(std::span<double> numbers) const {
    for (std::size_t t = 0; t < moving_.size(); ++t) {
        numbers[2 * t] = static_cast<double>(moving_[t].begin);
        numbers[2 * t + 1] = static_cast<double>(moving_[t].end);
    }
    numbers.back() = static_cast<double>(planned_beads_);
}

void TileWatch::restore(std::span<const double> numbers) {
    for (std::size_t t = 0; t < moving_.size(); ++t) {
        moving_[t] = {static_cast<std::size_t>(numbers[2 * t]),
                      static_cast<std::size_t>(numbers[2 * t + 1])};
    }
    planned_beads_ = static_cast<std::size_t>(numbers.back());
}

Window TileWatch::window(std::size_t tile, std::size_t reach) const {
    const std::size_t tile_begin = layout_.borders[tile], tile_end = layout_.borders[tile + 1];
    if (!sleep_) return {tile, tile_begin, tile_end};
    if (layout_.halo == 0) return {tile, tile_begin, moving_[tile].empty() ? tile_begin : tile_end};
    Window hull{tile, tile_end, tile_begin};
    const std::size_t last = std::min(tile + 1, layout_.tiles() - 1);
    for (std::size_t t = tile == 0 ? 0 : tile - 1; t <= last; ++t) {
        if (moving_[t].empty()) continue;
        const std::size_t begin = moving_[t].begin - std::min(moving_[t].begin, reach);
        const std::size_t end = moving_[t].end + reach;
        hull.begin = std::min(hull.begin, std::max(begin, tile_begin));
        hull.end = std::max(hull.end, std::min(end, tile_end));
    }
    if (hull.begin >= hull.end) return {tile, tile_begin, tile_begin};
    return hull;
}

std::span<const Window> TileWatch::plan(std::size_t reach) {
    fresh_.clear();
    planned_beads_ = 0;
    std::size_t next = 0;  // the first tile not asked yet
    for (const Window& seen : windows_) {
        const std::size_t last = std::min(seen.tile + 1, layout_.tiles() - 1);
        for (next = std::max(next, seen.tile == 0 ? 0 : seen.tile - 1); next <= last; ++next) {
            const Window wanted = window(next, reach);
            if (wanted.begin == wanted.end) continue;
            fresh_.push_back(wanted);
            planned_beads_ += wanted.end - wanted.begin;
        }
    }
    std::swap(windows_, fresh_);
    return windows_;
}

}  // namespace beadwave::dynamics
