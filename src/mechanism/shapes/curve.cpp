#include "mechanism/shapes/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::mechanism::shapes {
/// Newton's method, with bisection where it leaves the bracket.
template <class Slope>
double Curve::rising_root(Slope slope, double low, double start, double high) const {
    const double close_enough = 2.0 * std::numeric_limits<double>::epsilon() * period_;
    double root = start;
    for (int pass = 0; pass < 100; ++pass) {
        const auto [value, derivative] = slope(root);
        if (value == 0.0) return root;
        (value > 0.0 ? high : low) = root;
        double next = root - value / derivative;
        if (!(derivative > 0.0 && next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - root) <= close_enough) return next;
        root = next;
    }
    return root;
}

void Curve::set_samples(std::vector<double> parameters, double period) {
    parameters_ = std::move(parameters);
    period_ = period;
    for (const double parameter : parameters_) {
        samples_.push_back(at(parameter));
        positions_.push_back(samples_.back().position);
    }
    double area = 0.0;
    for (std::size_t k = 0; k < samples_.size(); ++k) {
        const Vector& a = samples_[k].position;
        const Vector& b = samples_[(k + 1) % samples_.size()].position;
        area += cross(a, b) / 2.0;
        middle_ = middle_ + (cross(a, b) / 6.0) * (a + b);
    }
    middle_ = (1.0 / area) * middle_;
    double lowest = infinity;
    least_reach_ = infinity;
    for (const Point& sample : samples_) {
        reach_ = std::max(reach_, length(sample.position - middle_));
        least_reach_ = std::min(least_reach_, length(sample.position - middle_));
        lowest = std::min(lowest, sample.curvature());
    }
    largest_radius_ = lowest > 0.0 ? 1.0 / lowest : infinity;
    hollow_radius_ = lowest < 0.0 ? -1.0 / lowest : infinity;
}

bool Curve::convex() const {
    // Straight parts of a cam are those of its points up to rounding.
    return hollow_radius_ >= 1e6 * reach_;
}

Curve::Point Curve::extreme(const Vector& place, double sign) const {
    const std::size_t count = samples_.size();
    const auto measure = [&](const Vector& position) {
        const Vector between = position - place;
        return sign * dot(between, between);
    };
    const auto slope = [&](double parameter) {
        const Point point = at(parameter);
        const Vector between = point.position - place;
        return std::pair(sign * dot(between, point.first),
                         sign * (dot(point.first, point.first) + dot(between, point.second)));
    };
    std::vector<double> measures(count);
    std::ranges::transform(positions_, measures.begin(), measure);
    Point best{};
    double least = infinity;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t before = k > 0 ? k - 1 : count - 1, after = k + 1 < count ? k + 1 : 0;
        if (measures[before] < measures[k] || measures[after] < measures[k]) continue;
        const double low = parameters_[before] - (k > 0 ? 0.0 : period_);
        const double high = parameters_[after] + (k + 1 < count ? 0.0 : period_);
        const Point found = at(rising_root(slope, low, parameters_[k], high));
        if (measure(found.position) >= least) continue;
        least = measure(found.position);
        best = found;
    }
    return best;
}

namespace {

class EllipseCurve final : public Curve {
  public:
    EllipseCurve(const Vector& centre, const Vector& first, const Vector& second)
        : centre_(centre), first_(first), second_(second) {
        constexpr int count = 64;
        std::vector<double> parameters;
        for (int k = 0; k < count; ++k)
            parameters.push_back(2.0 * std::numbers::pi * k / count);
        set_samples(std::move(parameters), 2.0 * std::numbers::pi);
    }

    Point at(double parameter) const override {
        return along(std::cos(parameter), std::sin(parameter));
    }
    Point farthest_along(const Vector& direction) const override {
        return along(dot(first_, direction), dot(second_, direction));
    }

  private:
    /// The point at the parameter whose cosine and sine are proportional to these.
    Point along(double cosine, double sine) const {
        const double scale = 1.0 / std::hypot(cosine, sine);
        const double c = scale * cosine, s = scale * sine;
        const Vector arm = c * first_ + s * second_;
        return {centre_ + arm, c * second_ - s * first_, -arm};
    }

    Vector centre_, first_, second_;
};

/// Solves the equations of a periodic spline: diagonal 2 (h[k-1] + h[k]), beside it h[k-1] and
/// h[k], and the same in the corners.
std::vector<double> solve_cyclic(const std::vector<double>& h, std::vector<double> right) {
    const std::size_t n = h.size();
    const auto before = [&](std::size_t k) { return h[k > 0 ? k - 1 : n - 1]; };
    // Sherman-Morrison: without the corners the matrix has three diagonals.
    const double corner = before(0), gamma = -2.0 * (before(0) + h[0]);
    std::vector<double> diagonal(n), second(n, 0.0);
    for (std::size_t k = 0; k < n; ++k)
        diagonal[k] = 2.0 * (before(k) + h[k]);
    diagonal[0] -= gamma;
    diagonal[n - 1] -= corner * corner / gamma;
    second[0] = gamma;
    second[n - 1] = corner;
    for (std::size_t k = 1; k < n; ++k) {
        const double factor = h[k - 1] / diagonal[k - 1];
        diagonal[k] -= factor * h[k - 1];
        right[k] -= factor * right[k - 1];
        second[k] -= factor * second[k - 1];
    }
    for (std::size_t k = n; k-- > 0;) {
        const double beside = k + 1 < n ? h[k] : 0.0;
        right[k] = (right[k] - (k + 1 < n ? beside * right[k + 1] : 0.0)) / diagonal[k];
        second[k] = (second[k] - (k + 1 < n ? beside * second[k + 1] : 0.0)) / diagonal[k];
    }
    const double factor = (right[0] + corner * right[n - 1] / gamma) /
                          (1.0 + second[0] + corner * second[n - 1] / gamma);
    for (std::size_t k = 0; k < n; ++k)
        right[k] -= factor * second[k];
    return right;
}

class SplineCurve final : public Curve {
  public:
    explicit SplineCurve(const std::vector<Vector>& points) : points_(points) {
        const std::size_t n = points_.size();
        knots_.push_back(0.0);
        for (std::size_t k = 0; k < n; ++k) {
            chords_.push_back(length(points_[(k + 1) % n] - points_[k]));
            knots_.push_back(knots_.back() + chords_.back());
        }
        bends_.resize(n);
        for (const std::size_t axis : {0, 1}) {
            std::vector<double> right(n);
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t before = k > 0 ? k - 1 : n - 1;
                right[k] = 6.0 * ((points_[(k + 1) % n][axis] - points_[k][axis]) / chords_[k] -
                                  (points_[k][axis] - points_[before][axis]) / chords_[before]);
            }
            const std::vector<double> bends = solve_cyclic(chords_, right);
            for (std::size_t k = 0; k < n; ++k)
                bends_[k][axis] = bends[k];
        }
        constexpr int parts = 4;  // of a chord; even: the curvature is extreme at the points
        std::vector<double> parameters;
        for (std::size_t k = 0; k < n; ++k) {
            for (int part = 0; part < parts; ++part)
                parameters.push_back(knots_[k] + chords_[k] * part / parts);
        }
        set_samples(std::move(parameters), knots_.back());
        double turned = std::atan2(samples()[0].outward()[1], samples()[0].outward()[0]);
        directions_.push_back(turned);
        for (std::size_t k = 1; k < samples().size(); ++k) {
            const Vector a = samples()[k - 1].first, b = samples()[k].first;
            directions_.push_back(turned += std::atan2(cross(a, b), dot(a, b)));
        }
    }

    Point at(double parameter) const override {
        const double period = knots_.back();
        double within = std::fmod(parameter, period);
        if (within < 0.0) within += period;
        const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, within);
        const auto k = static_cast<std::size_t>(next - knots_.begin()) - 1;
        const std::size_t after = (k + 1) % points_.size();
        const double h = chords_[k], b = (within - knots_[k]) / h, a = 1.0 - b;
        const Vector& left = bends_[k];
        const Vector& right = bends_[after];
        return {a * points_[k] + b * points_[after] +
                    (h * h / 6.0) * ((a * a * a - a) * left + (b * b * b - b) * right),
                (1.0 / h) * (points_[after] - points_[k]) +
                    (h / 6.0) * ((1.0 - 3.0 * a * a) * left + (3.0 * b * b - 1.0) * right),
                a * left + b * right};
    }

    Point farthest_along(const Vector& direction) const override {
        double angle = std::atan2(direction[1], direction[0]);
        while (angle < directions_.front())
            angle += 2.0 * std::numbers::pi;
        while (angle >= directions_.front() + 2.0 * std::numbers::pi)
            angle -= 2.0 * std::numbers::pi;
        const auto next = std::upper_bound(directions_.begin() + 1, directions_.end(), angle);
        const auto k = static_cast<std::size_t>(next - directions_.begin()) - 1;
        const double low = parameters()[k];
        const double high = k + 1 < parameters().size() ? parameters()[k + 1] : period();
        const auto slope = [&](double parameter) {
            const Point point = at(parameter);
            return std::pair(-dot(point.first, direction), -dot(point.second, direction));
        };
        return at(rising_root(slope, low, 0.5 * (low + high), high));
    }

  private:
    std::vector<Vector> points_, bends_;  ///< bends_: second derivatives at the points
    std::vector<double> chords_, knots_;
    std::vector<double> directions_;  ///< of the outward normals at the samples, without jumps
};

}  // namespace

std::shared_ptr<const Curve> make_ellipse(const Vector& centre,
                                          const std::array<double, 2>& semi_axes, double angle) {
    const Vector along = rotated({1.0, 0.0}, angle);
    return std::make_shared<EllipseCurve>(centre, semi_axes[0] * along,
                                          semi_axes[1] * left_of(along));
}

std::shared_ptr<const Curve> make_spline(std::vector<Vector> points) {
    double area = 0.0;
    for (std::size_t k = 0; k < points.size(); ++k)
        area += cross(points[k], points[(k + 1) % points.size()]);
    if (area < 0.0) std::ranges::reverse(points);
    return std::make_shared<SplineCurve>(points);
}

}  // namespace beadwave::mechanism::shapes
