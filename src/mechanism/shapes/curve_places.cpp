// Places of smooth curves on cores, on curves and in sockets.
#include "mechanism/shapes/places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::mechanism::shapes {
/// Along any direction n the overlap of two convex bodies is h_second(n) + h_first(-n), where h is
/// how far a body reaches. The overlap is the smallest of these. It is that along the normal of a
/// side which the curve's deepest point meets, or along the line from a corner to the curve.
Nearest RoundedOnCurve::nearest(const Pose& first, const Pose& second) const {
    const std::size_t n = rounded_.core.size();
    std::vector<Vector> corners(n);
    std::ranges::transform(rounded_.core, corners.begin(),
                           [&](const Vector& c) { return second.from(first.at(c)); });
    Nearest best{.overlap = infinity, .normal = {}, .first = {}, .radii = {}};
    const auto offer = [&](double overlap, const Vector& normal, const Vector& core, double radius,
                           const Curve::Point& on_curve) {
        if (overlap >= best.overlap) return;
        best = {.overlap = overlap,
                .normal = second.turned(normal),
                .first = second.at(core - rounded_.radius * normal),
                .radii = {radius, on_curve.radius()}};
    };
    for (std::size_t k = 0; k < n; ++k) {
        const Vector& from = corners[k];
        const Vector& to = corners[(k + 1) % n];
        const Vector along = unit_vector(to - from);
        const Vector normal = left_of(along);  // into the body
        const Curve::Point deepest = curve_->farthest_along(normal);
        const double beyond = dot(deepest.position - from, along);
        if (beyond < 0.0 || beyond > length(to - from)) continue;
        offer(dot(deepest.position - from, normal) + rounded_.radius, normal, from + beyond * along,
              infinity, deepest);
    }
    // Only a corner that is deep inside could be nearer to the outline than this.
    if (best.overlap <= 0.25 * curve_->least_reach()) return best;
    for (std::size_t k = 0; k < n; ++k) {
        const Curve::Point foot = curve_->nearest_to(corners[k]);
        const Vector normal = foot.outward();
        const bool faces = dot(corners[(k + n - 1) % n] - corners[k], normal) >= 0.0 &&
                           dot(corners[(k + 1) % n] - corners[k], normal) >= 0.0;
        if (!faces) continue;
        offer(rounded_.radius - dot(corners[k] - foot.position, normal), normal, corners[k],
              rounded_.radius, foot);
    }
    return best;
}

/// The smallest overlap over all directions n: its derivative by the angle of n is
/// dot(q - p, left of n), where p and q are the deepest points of the first and second along n, and
/// its second derivative the sum of their radii of curvature minus the overlap.
Nearest CurveOnCurve::nearest(const Pose& first, const Pose& second) const {
    struct Along {
        Curve::Point of_first, of_second;  // in the frames of their bodies
        Vector normal, p{};
        double overlap = 0.0, slope = 0.0, bend = 0.0;
    };
    const auto along = [&](double angle) {
        const Vector normal{std::cos(angle), std::sin(angle)};
        Along found{.of_first = curves_[0]->farthest_along(first.turned_back(-normal)),
                    .of_second = curves_[1]->farthest_along(second.turned_back(normal)),
                    .normal = normal};
        found.p = first.at(found.of_first.position);
        const Vector between = second.at(found.of_second.position) - found.p;
        found.overlap = dot(between, normal);
        found.slope = dot(between, left_of(normal));
        found.bend = found.of_first.radius() + found.of_second.radius() - found.overlap;
        return found;
    };
    // The normals at the samples of both curves: dense wherever one of the two is flat.
    std::vector<double> angles;
    constexpr std::size_t enough = 64;
    for (const std::size_t k : {0, 1}) {
        const auto& samples = curves_[k]->samples();
        const std::size_t stride = std::max<std::size_t>(1, samples.size() / enough);
        for (std::size_t i = 0; i < samples.size(); i += stride) {
            const Vector outward = samples[i].outward();
            const Vector normal = k == 0 ? -first.turned(outward) : second.turned(outward);
            angles.push_back(std::atan2(normal[1], normal[0]));
        }
    }
    std::ranges::sort(angles);
    const std::size_t count = angles.size();
    std::vector<double> overlaps(count);
    std::ranges::transform(angles, overlaps.begin(), [&](double a) { return along(a).overlap; });
    std::optional<Along> best;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t before = k > 0 ? k - 1 : count - 1, after = k + 1 < count ? k + 1 : 0;
        if (overlaps[before] < overlaps[k] || overlaps[after] < overlaps[k]) continue;
        double low = angles[before] - (k > 0 ? 0.0 : 2.0 * std::numbers::pi);
        double high = angles[after] + (k + 1 < count ? 0.0 : 2.0 * std::numbers::pi);
        double angle = angles[k];
        Along found = along(angle);
        for (int pass = 0; pass < 100 && found.slope != 0.0; ++pass) {
            (found.slope > 0.0 ? high : low) = angle;
            double next = angle - found.slope / found.bend;
            if (!(found.bend > 0.0 && next > low && next < high)) next = 0.5 * (low + high);
            const bool close =
                std::abs(next - angle) <= 4.0 * std::numeric_limits<double>::epsilon();
            angle = next;
            found = along(angle);
            if (close) break;
        }
        if (!best || found.overlap < best->overlap) best = found;
    }
    return {.overlap = best->overlap,
            .normal = best->normal,
            .first = best->p,
            .radii = {best->of_first.radius(), best->of_second.radius()}};
}

Nearest CurveInSocket::nearest(const Pose& first, const Pose& second) const {
    const Vector centre = first.from(second.at(socket_.centre));
    const auto in_socket = [&](const Vector& v) { return second.turned_back(first.turned(v)); };
    const bool inside = length(curve_->middle() - centre) < socket_.radius;
    const Curve::Point found = inside ? curve_->farthest_from(centre) : curve_->nearest_to(centre);
    const Vector outward = found.outward();
    const double side = inside ? 1.0 : -1.0;
    if (socket_.sector.contains(in_socket(found.position - centre))) {
        const double beyond = length(found.position - centre) - socket_.radius;
        return {.overlap = side * beyond,
                .normal = first.turned(-outward),
                .first = first.at(found.position),
                .radii = {found.radius(), -side * socket_.radius}};
    }
    Nearest best{.overlap = -infinity, .normal = {}, .first = {}, .radii = {}};
    for (const Vector& end : socket_.ends()) {
        const Vector place = first.from(second.at(end));
        const Curve::Point foot = curve_->nearest_to(place);
        const double overlap = -dot(place - foot.position, foot.outward());
        if (overlap <= best.overlap) continue;
        best = {.overlap = overlap,
                .normal = first.turned(-foot.outward()),
                .first = first.at(foot.position),
                .radii = {foot.radius(), 0.0}};
    }
    return best;
}

Nearest Reversed::nearest(const Pose& first, const Pose& second) const {
    const Nearest found = place_->nearest(second, first);
    return {.overlap = found.overlap,
            .normal = -found.normal,
            .first = found.first + found.overlap * found.normal,
            .radii = {found.radii[1], found.radii[0]}};
}

}  // namespace beadwave::mechanism::shapes
