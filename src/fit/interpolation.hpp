// Interpolates a sampled signal between its samples.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace beadwave::fit {

/// The cubic through four samples. Its value and its slope at one time are weighted sums of these
/// samples. At the time of a sample, the value is that sample to the bit.
struct Place {
    std::size_t first = 0;  ///< of the four
    std::array<double, 4> value{};
    std::array<double, 4> slope{};  ///< [1/s]
};

/// `times` [s]: at least four, increasing; `time` [s] between the first and the last.
Place place_of(std::span<const double> times, double time);

}  // namespace beadwave::fit
