// Which tile reads which sensor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "tiled_kernel.hpp"
#include "tiled_layout.hpp"

namespace beadwave::dynamics {

class SensorMap {
   public:
    /// Sorts the sensors into tiles; returns at once if they are those of the last time.
    void prepare(const std::vector<std::size_t>& beads, const TileLayout& layout) {
        if (!first_.empty() && beads == beads_) return;
        beads_ = beads;
        std::vector<std::size_t> order(beads.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t s) { return beads[s]; });
        sensors_.clear();
        first_.assign(layout.tiles() + 1, 0);
        tiles_.clear();
        std::size_t next = 0;
        for (std::size_t t = 0; t < layout.tiles(); ++t) {
            first_[t] = next;
            const std::size_t row_begin = t == 0 ? 0 : layout.borders[t] - layout.halo;
            for (; next < order.size() && beads[order[next]] < layout.borders[t + 1]; ++next) {
                sensors_.push_back({.bead = beads[order[next]] - row_begin, .column = order[next]});
            }
            if (next > first_[t]) tiles_.push_back(t);
        }
        first_.back() = next;
    }

    std::span<const TileSensor> of(std::size_t tile) const {
        return std::span(sensors_).subspan(first_[tile], first_[tile + 1] - first_[tile]);
    }
    /// Tiles with sensors.
    std::span<const std::size_t> tiles() const { return tiles_; }

   private:
    std::vector<std::size_t> beads_;
    std::vector<TileSensor> sensors_;  // by tile
    std::vector<std::size_t> first_;   // per tile, into sensors_
    std::vector<std::size_t> tiles_;
};

}  // namespace beadwave::dynamics
