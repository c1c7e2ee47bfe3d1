// Moments of any union of balls, by slices.

#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace beadwave::shapes {
namespace {

using std::numbers::pi;

/// Gauss's rule on [-1, 1].
struct GaussRule {
    static constexpr std::size_t points = 24;
    std::array<double, points> place{}, weight{};

    /// Finds the points by Newton's method on Legendre's polynomial.
    GaussRule() {
        constexpr auto n = static_cast<double>(points);
        for (std::size_t i = 0; i < points; ++i) {
            double x = -std::cos(pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 1.0;
            for (int iteration = 0; iteration < 10; ++iteration) {
                double before = 1.0, value = x;
                for (double k = 2.0; k <= n; k += 1.0) {
                    const double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
                    before = std::exchange(value, next);
                }
                slope = n * (x * value - before) / (x * x - 1.0);
                x -= value / slope;
            }
            place[i] = x;
            weight[i] = 2.0 / ((1.0 - x * x) * slope * slope);
        }
    }

    template <class Function>
    void over(double from, double to, const Function& add) const {
        const double half = 0.5 * (to - from), middle = 0.5 * (to + from);
        for (std::size_t i = 0; i < points; ++i)
            add(middle + half * place[i], half * weight[i]);
    }
};

/// Integrals of 1, y, z, y^2, z^2 and y z over the region that the discs of a slice cover.
struct SliceMoments {
    double area = 0.0, y = 0.0, z = 0.0, yy = 0.0, zz = 0.0, yz = 0.0;
};

struct Disc {
    double y, z, radius;
};

/// The parts of [0, 2 pi] of a disc's circle that no other disc covers.
std::vector<std::array<double, 2>> bare_arcs(const std::vector<Disc>& discs, std::size_t i) {
    std::vector<std::array<double, 2>> covered;
    const Disc& own = discs[i];
    for (std::size_t j = 0; j < discs.size(); ++j) {
        if (j == i) continue;
        const double y = discs[j].y - own.y, z = discs[j].z - own.z, other = discs[j].radius;
        const double distance = std::hypot(y, z);
        if (distance >= own.radius + other) continue;
        if (distance <= other - own.radius) {
            const bool same = distance == 0.0 && other == own.radius;
            if (!same || j < i) return {};
            continue;
        }
        if (distance <= own.radius - other) continue;
        const double reach =
            (distance + (own.radius - other) * (own.radius + other) / distance) / 2.0;
        const double half = std::acos(std::clamp(reach / own.radius, -1.0, 1.0));
        double from = std::atan2(z, y) - half;
        if (from < 0.0) from += 2.0 * pi;
        const double to = from + 2.0 * half;
        covered.push_back({from, std::min(to, 2.0 * pi)});
        if (to > 2.0 * pi) covered.push_back({0.0, to - 2.0 * pi});
    }
    std::ranges::sort(covered);
    std::vector<std::array<double, 2>> bare;
    double end = 0.0;
    for (const auto& [from, to] : covered) {
        if (from > end) bare.push_back({end, from});
        end = std::max(end, to);
    }
    if (end < 2.0 * pi) bare.push_back({end, 2.0 * pi});
    return bare;
}

/// The moments by Green's theorem: the integral of y^m z^n over the region is that of
/// y^(m+1) z^n/(m+1) dz along its outline.
SliceMoments moments_of_slice(const std::vector<Disc>& discs, const GaussRule& gauss) {
    SliceMoments m;
    for (std::size_t i = 0; i < discs.size(); ++i) {
        const Disc& d = discs[i];
        for (const auto& [from, to] : bare_arcs(discs, i)) {
            gauss.over(from, to, [&](double angle, double weight) {
                const double c = std::cos(angle), s = std::sin(angle);
                const double y = d.y + d.radius * c, z = d.z + d.radius * s;
                const double dy = -weight * d.radius * s, dz = weight * d.radius * c;
                m.area += 0.5 * (y * dz - z * dy);
                m.y += 0.5 * y * y * dz;
                m.z -= 0.5 * z * z * dy;
                m.yy += y * y * y * dz / 3.0;
                m.zz -= z * z * z * dy / 3.0;
                m.yz += 0.5 * y * y * z * dz;
            });
        }
    }
    return m;
}

/// Where the outline of slices across x changes its arcs: at the ends of balls, at the ends of the
/// circles on which two meet, and where three meet. Only places on the surface of the union count.
class Changes {
  public:
    explicit Changes(std::span<const Ball> balls) : balls_(balls) {
        for (std::size_t i = 0; i < balls.size(); ++i) {
            const Vector along{balls[i].radius, 0.0, 0.0};
            include(balls[i].centre + along, {i});
            include(balls[i].centre - along, {i});
            for (std::size_t j = 0; j < i; ++j)
                add_circle(i, j);
        }
        std::ranges::sort(at_);
    }
    const std::vector<double>& sorted() const { return at_; }

  private:
    void include(const Vector& place, std::initializer_list<std::size_t> of) {
        for (std::size_t k = 0; k < balls_.size(); ++k) {
            const Vector from = place - balls_[k].centre;
            const double r = balls_[k].radius;
            constexpr double rounding = 1e-12;
            if (std::ranges::find(of, k) == of.end() && dot(from, from) < r * r * (1.0 - rounding))
                return;
        }
        at_.push_back(place.x);
    }

    void add_circle(std::size_t i, std::size_t j) {
        const double r = balls_[i].radius, other = balls_[j].radius;
        const Vector way = balls_[j].centre - balls_[i].centre;
        const double distance = length(way);
        if (distance >= r + other || distance <= std::abs(r - other)) return;
        const Vector u = way * (1.0 / distance);
        const double height = 0.5 * (distance + (r - other) * (r + other) / distance);
        const Vector middle = balls_[i].centre + height * u;
        const double radius = std::sqrt(std::max(0.0, (r - height) * (r + height)));
        const Vector x = Vector{1.0, 0.0, 0.0} - u.x * u;
        constexpr double rounding = 1e-12;
        if (length(x) < rounding) {
            at_.push_back(middle.x);
        } else {
            include(middle + (radius / length(x)) * x, {i, j});
            include(middle - (radius / length(x)) * x, {i, j});
        }
        const auto [v, w] = tangents(u);
        for (std::size_t k = 0; k < j; ++k) {
            const Vector from = middle - balls_[k].centre;
            const double a = 2.0 * radius * dot(from, v), b = 2.0 * radius * dot(from, w);
            const double c =
                balls_[k].radius * balls_[k].radius - dot(from, from) - radius * radius;
            const double size = std::hypot(a, b);
            if (!(std::abs(c) <= size) || size == 0.0) continue;
            for (const double half : {std::acos(c / size), -std::acos(c / size)}) {
                const double angle = std::atan2(b, a) + half;
                include(middle + radius * (std::cos(angle) * v + std::sin(angle) * w), {i, j, k});
            }
        }
    }

    std::span<const Ball> balls_;
    std::vector<double> at_;
};

}  // namespace

VolumeMoments moments_by_slices(std::span<const Ball> balls) {
    const GaussRule gauss;
    constexpr double panels[][2] = {{0.0, 0.03}, {0.03, 0.2}, {0.2, 0.8}, {0.8, 0.97}, {0.97, 1.0}};
    VolumeMoments all;
    const Changes changes(balls);
    const std::vector<double>& at = changes.sorted();
    for (std::size_t part = 0; part + 1 < at.size(); ++part) {
        const double from = at[part], to = at[part + 1];
        if (!(to > from)) continue;
        // Near its ends a part goes with roots of the distance from there, which are smooth in this
        // angle; other roots may lie just beyond them.
        const auto add_slice = [&](double angle, double by_angle) {
            const double x = from + (to - from) * 0.5 * (1.0 - std::cos(angle));
            const double weight = by_angle * 0.5 * (to - from) * std::sin(angle);
            std::vector<Disc> discs;
            for (const Ball& ball : balls) {
                const double h = x - ball.centre.x;
                if (std::abs(h) >= ball.radius) continue;
                discs.push_back({ball.centre.y, ball.centre.z,
                                 std::sqrt((ball.radius - h) * (ball.radius + h))});
            }
            const SliceMoments m = moments_of_slice(discs, gauss);
            all.volume += weight * m.area;
            all.first += weight * Vector{x * m.area, m.y, m.z};
            all.squares += weight * Vector{x * x * m.area, m.yy, m.zz};
            all.products += weight * Vector{m.yz, x * m.z, x * m.y};
        };
        for (const auto& panel : panels)
            gauss.over(panel[0] * pi, panel[1] * pi, add_slice);
    }
    return all;
}

}  // namespace beadwave::shapes
