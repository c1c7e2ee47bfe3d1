// Random directions, orientations and ellipsoids.
#pragma once

#include "shapes/ellipsoid.hpp"
#include "splitmix.hpp"

#include <cmath>
#include <cstdint>

namespace beadwave::validation {

/// Random numbers, the same everywhere.
class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
    double between(double low, double high) {
        state_ = mixed(state_);
        return low + (high - low) * static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    shapes::Vector direction() {
        for (;;) {
            const shapes::Vector v{between(-1, 1), between(-1, 1), between(-1, 1)};
            const double size = shapes::length(v);
            if (size > 0.1 && size < 1.0) return v * (1.0 / size);
        }
    }
    shapes::Quaternion rotation() {
        for (;;) {
            const shapes::Quaternion q{between(-1, 1), between(-1, 1), between(-1, 1),
                                       between(-1, 1)};
            const double size = shapes::norm(q);
            if (size > 0.1 && size < 1.0) return shapes::normalised(q);
        }
    }
    /// Semi-axes from 1 up to `aspect` mm.
    shapes::Ellipsoid ellipsoid(double aspect) {
        const auto axis = [&] { return 1e-3 * std::pow(aspect, between(0, 1)); };
        const double a = axis(), b = axis(), c = axis();
        return {.semi_axes = {a, b, c}, .centre = {}, .orientation = rotation()};
    }

  private:
    std::uint64_t state_;
};

}  // namespace beadwave::validation
