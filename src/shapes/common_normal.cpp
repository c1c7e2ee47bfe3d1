#include "shapes/common_normal.hpp"

#include "shapes/least_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace beadwave::shapes {
namespace {

double longest_axis(const Ellipsoid& e) {
    return std::max({e.semi_axes.x, e.semi_axes.y, e.semi_axes.z});
}

/// The inverse, with the determinant [1/m^2] in closed form: that of the entries would lose digits.
PlaneMatrix inverse(const PlaneMatrix& m, double determinant) {
    const double s = 1.0 / determinant;
    return {.uu = s * m.ww, .uw = -s * m.uw, .ww = s * m.uu};
}

/// f on the sphere of directions.
class OverlapAlong {
  public:
    OverlapAlong(const Ellipsoid& first, const Ellipsoid& second)
        : first_(first), second_(second), between_(second.centre - first.centre) {}

    double operator()(const Vector& n) const {
        return reach(first_, n) + reach(second_, n) - dot(n, between_);
    }
    /// p1 - p2: its part along n is f, its part across n the gradient [m].
    Vector points_apart(const Vector& n) const {
        return reach_point(first_, n) + reach_point(second_, n) - between_;
    }
    /// W1 + W2: radii of curvature, summed [m].
    PlaneMatrix radii(const Vector& n) const { return radii_of(first_, n) + radii_of(second_, n); }
    /// [m]; rounding errors are in proportion to it.
    double size() const { return longest_axis(first_) + longest_axis(second_) + length(between_); }
    const Vector& between() const { return between_; }

  private:
    static PlaneMatrix radii_of(const Ellipsoid& e, const Vector& n) {
        const double h = reach(e, n), volume = e.semi_axes.x * e.semi_axes.y * e.semi_axes.z;
        const double gauss = h * h / volume;  // its square is the Gauss curvature
        return inverse(bending(e, n), gauss * gauss);
    }

    const Ellipsoid &first_, &second_;
    Vector between_;
};

struct Stationary {
    Vector normal;
    double overlap, misalignment;
};

struct Slope {
    double u, w;
    double size() const { return std::hypot(u, w); }
};

/// -H^-1 g, with the eigenvalues of H replaced by their sizes.
Slope descent(const PlaneMatrix& hessian, const Slope& g, double least) {
    const double mean = 0.5 * (hessian.uu + hessian.ww), half = 0.5 * (hessian.uu - hessian.ww);
    const double spread = std::hypot(half, hessian.uw);
    const double turn = 0.5 * std::atan2(hessian.uw, half);
    const double c = std::cos(turn), s = std::sin(turn);
    const double along = (c * g.u + s * g.w) / std::max(least, std::abs(mean + spread));
    const double across = (c * g.w - s * g.u) / std::max(least, std::abs(mean - spread));
    return {.u = -(c * along - s * across), .w = -(s * along + c * across)};
}

std::optional<Stationary> descend(const OverlapAlong& f, Vector n, int& steps) {
    const double size = f.size(), rounding = 4e-16 * size;
    constexpr double verified = 1e-12, longest_turn = 0.5;
    double value = f(n);
    Slope g{};
    std::array<Vector, 2> t{};
    const auto look = [&](const Vector& at) {
        t = tangents(at);
        const Vector apart = f.points_apart(at);
        return Slope{dot(t[0], apart), dot(t[1], apart)};
    };
    g = look(n);
    for (int step = 0; step < 200 && g.size() > rounding; ++step, ++steps) {
        PlaneMatrix hessian = f.radii(n);
        hessian.uu -= value;
        hessian.ww -= value;
        Slope way = descent(hessian, g, 1e-12 * size);
        const double turn = way.size();
        double part = turn > longest_turn ? longest_turn / turn : 1.0;
        const std::array<Vector, 2> here = t;
        bool moved = false;
        for (int halving = 0; halving < 60; ++halving, part *= 0.5) {
            Vector next = n + (part * way.u) * here[0] + (part * way.w) * here[1];
            next = next * (1.0 / length(next));
            const double next_value = f(next);
            const double falls = 1e-4 * part * (way.u * g.u + way.w * g.w);  // below 0
            if (next_value <= value + falls) {
                n = next;
                value = next_value;
                g = look(n);
                moved = true;
                break;
            }
            // In the rounding of f, its gradient says whether the step is one forward.
            if (next_value > value + rounding) continue;
            const Slope next_g = look(next);
            if (next_g.size() < 0.5 * g.size()) {
                n = next;
                value = next_value;
                g = next_g;
                moved = true;
                break;
            }
        }
        if (!moved) break;
    }
    if (!(g.size() <= verified * size)) return std::nullopt;
    return Stationary{.normal = n, .overlap = value, .misalignment = g.size()};
}

/// The axes of both, the line of centres, and the corners and edges of a cube: best first.
std::vector<Vector> more_starts(const OverlapAlong& f, const Ellipsoid& first,
                                const Ellipsoid& second) {
    std::vector<Vector> starts;
    for (const Ellipsoid* e : {&first, &second}) {
        for (const Vector& axis :
             {Vector{1.0, 0.0, 0.0}, Vector{0.0, 1.0, 0.0}, Vector{0.0, 0.0, 1.0}}) {
            const Vector in_space = to_space(e->orientation, axis);
            starts.push_back(in_space);
            starts.push_back(-in_space);
        }
    }
    for (const double x : {-1.0, 0.0, 1.0}) {
        for (const double y : {-1.0, 0.0, 1.0}) {
            for (const double z : {-1.0, 0.0, 1.0}) {
                const Vector v{x, y, z};
                if (length(v) > 1.1) starts.push_back(v * (1.0 / length(v)));
            }
        }
    }
    std::ranges::stable_sort(starts, {}, [&](const Vector& n) { return f(n); });
    return starts;
}

CommonNormal described(const Stationary& found, const Ellipsoid& first, const Ellipsoid& second) {
    const Vector& n = found.normal;
    const PlaneMatrix one = bending(first, n), two = bending(second, n);
    CommonNormal c{.normal = n,
                   .overlap = found.overlap,
                   .point_1 = first.centre + reach_point(first, n),
                   .point_2 = second.centre - reach_point(second, n),
                   .first = principal(one, n),
                   .second = principal(two, n),
                   .relative = principal(one + two, n),
                   .angle = 0.0,
                   .misalignment = found.misalignment,
                   .starts = 0,
                   .steps = 0,
                   .certain = false};
    const Vector &a = c.first.direction, &b = c.second.direction;
    c.angle = std::atan2(length(cross(a, b)), std::abs(dot(a, b)));
    return c;
}

}  // namespace

CommonNormal common_normal(const Ellipsoid& first, const Ellipsoid& second, const Vector& guess) {
    const OverlapAlong f(first, second);
    const double certain_below = smallest_radius(first) + smallest_radius(second);
    int steps = 0;
    const auto least = least_overlap(
        "ellipsoids", certain_below, guess, [&] { return f.between(); },
        [&] { return more_starts(f, first, second); },
        [&](const Vector& start) { return descend(f, start, steps); },
        [](const Stationary& found) { return found.overlap; });
    CommonNormal result = described(least.found, first, second);
    result.starts = least.starts;
    result.steps = steps;
    result.certain = least.certain;
    return result;
}

}  // namespace beadwave::shapes
