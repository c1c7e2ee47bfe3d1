// Which tile records which sensor.
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
    /// Sorts the sensors whose beads are [begin, end), by index; index 0 is bead number `first`.
    /// Returns at once if `beads` has not changed since the last call.
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

    /// The sensors on the beads [begin, end).
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
