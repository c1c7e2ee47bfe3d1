// Random numbers that are the same on every machine.
#pragma once

#include "splitmix.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace beadwave::validation {

/// One stream of random numbers.
class Dice {
  public:
    /// Streams of different seeds are independent, because the seed is mixed before it becomes the
    /// state.
    explicit Dice(std::uint64_t seed) : state_(seed) { state_ = next() ^ (next() << 1); }

    double part() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< in [0, 1)
    double between(double low, double high) { return low + (high - low) * part(); }
    double decades(double low, double high) { return low * std::pow(high / low, part()); }
    bool chance(double probability) { return part() < probability; }
    std::size_t below(std::size_t count) {
        return std::min(count - 1, static_cast<std::size_t>(part() * static_cast<double>(count)));
    }

  private:
    std::uint64_t next() {
        const std::uint64_t number = mixed(state_);
        state_ += splitmix_stride;
        return number;
    }

    std::uint64_t state_;
};

}  // namespace beadwave::validation
