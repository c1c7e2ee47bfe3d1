// Random shapes of size 1 around the origin, and poses for them.
#pragma once

#include "mechanism/plane.hpp"
#include "mechanism/shapes/shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>

namespace beadwave::validation {

class RandomShapes {
  public:
    explicit RandomShapes(unsigned seed) : random_(seed) {}

    double number(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    mechanism::Vector point(double size) { return {number(-size, size), number(-size, size)}; }

    /// Kind: the index in shapes::Shape. The arc is a socket large enough for all other shapes.
    mechanism::shapes::Shape shape(std::size_t kind) {
        using namespace mechanism::shapes;
        constexpr double pi = std::numbers::pi;
        switch (kind) {
            case 0:
                return Circle{point(0.1), number(0.2, 1.0)};
            case 1: {
                const double from = number(-pi, pi);
                return Arc{point(0.1), 6.0, from, from + number(0.5, 2.0 * pi), Arc::Side::inside};
            }
            case 2:
                return Segment{point(1.0), point(1.0), number(0.0, 1.0) < 0.5 ? 0.0 : 0.1};
            case 3: {
                // Corners on an ellipse, not too close to each other.
                const int corners = 3 + static_cast<int>(number(0.0, 4.0));
                const double a = number(0.6, 1.2), b = number(0.6, 1.2), turn = number(0.0, pi);
                Polygon polygon{.corners = {}, .corner_radius = number(0.02, 0.1)};
                for (int k = 0; k < corners; ++k) {
                    const double t = turn + 2.0 * pi * (k + number(0.0, 0.4)) / corners;
                    polygon.corners.push_back({a * std::cos(t), b * std::sin(t)});
                }
                if (number(0.0, 1.0) < 0.5) std::ranges::reverse(polygon.corners);
                return polygon;
            }
            case 4:
                return Ellipse{point(0.1), {number(0.4, 1.2), number(0.4, 1.2)}, number(0.0, pi)};
            default: {
                ClosedCurve curve{.points = {}, .centre = point(0.1), .angle = number(-pi, pi)};
                const double two = number(0.0, 0.1), three = number(0.0, 0.04);
                constexpr int points = 40;
                for (int k = 0; k < points; ++k) {
                    const double t = 2.0 * pi * k / points;
                    const double r =
                        1.0 + two * std::cos(2.0 * t) + three * std::cos(3.0 * t + 1.0);
                    curve.points.push_back({r * std::cos(t), r * std::sin(t)});
                }
                return curve;
            }
        }
    }

    mechanism::BodyState pose(double size) {
        mechanism::BodyState body;
        body.centre = point(size);
        body.angle = number(-10.0, 10.0);
        return body;
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace beadwave::validation
