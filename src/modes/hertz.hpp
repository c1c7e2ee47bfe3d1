// Frequencies of angular frequencies.
#pragma once

#include <numbers>

namespace beadwave::modes {

/// [rad/s] to [Hz]
constexpr double hertz(double omega) {
    return omega / (2.0 * std::numbers::pi);
}

}  // namespace beadwave::modes
