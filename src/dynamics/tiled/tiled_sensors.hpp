// Which tile reads which sensor.
#pragma once

#include "beadwave/dynamics/engine.hpp"
#include "tiled_kernel.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::dynamics {

class SensorMap {
  public:
    /// Sorts the sensors of the beads from number `first` on by their places behind that one,
    /// [begin, end); returns at once if they are those of the last time.
    void prepare(const std::vector<std::size_t>& beads, std::size_t first, std::size_t begin,
                 std::size_t end) {
        if (beads == beads_) return;
        beads_ = beads;
        sensors_.clear();
        for (std::size_t s = 0; s < beads.size(); ++s) {
            if (beads[s] >= first + begin && beads[s] < first + end)
                sensors_.push_back({.bead = beads[s] - first, .column = s});
        }
        std::ranges::stable_sort(sensors_, {}, &TileSensor::bead);
    }

    /// Of the beads [begin, end).
    std::span<const TileSensor> within(std::size_t begin, std::size_t end) const {
        const auto first = std::ranges::lower_bound(sensors_, begin, {}, &TileSensor::bead);
        const auto last =
            std::ranges::lower_bound(first, sensors_.end(), end, {}, &TileSensor::bead);
        return {first, last};
    }

  private:
    std::vector<std::size_t> beads_;
    std::vector<TileSensor> sensors_;  // by bead
};

}  // namespace beadwave::dynamics
