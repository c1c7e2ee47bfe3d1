#include "shapes/near_normal.hpp"

#include "shapes/point_pair.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace beadwave::shapes {
namespace {

// Of the sizes; points_enough: also of the normals.
constexpr double enough = 1e-14, verified = 1e-12, points_enough = 2e-15;
constexpr int most_steps = 8;

/// An ellipsoid's support along a unit vector n: h = |m| with m = A R^T n, and the point R A m/h.
struct Support {
    Vector m;
    double h;
    Vector point;

    Support(const TurnedShape& e, const Vector& n) {
        const Vector b = e.in_axes(n);
        m = {e.semi_axes.x * b.x, e.semi_axes.y * b.y, e.semi_axes.z * b.z};
        h = length(m);
        const double s = 1.0 / h;
        point =
            e.in_space({s * e.semi_axes.x * m.x, s * e.semi_axes.y * m.y, s * e.semi_axes.z * m.z});
    }
    /// The second derivatives of h along two vectors across n: with p = A R^T t, (p x m)^2/h^3 [m].
    PlaneMatrix radii(const TurnedShape& e, const std::array<Vector, 2>& across) const {
        const auto turned = [&](const Vector& t) {
            const Vector b = e.in_axes(t);
            return cross({e.semi_axes.x * b.x, e.semi_axes.y * b.y, e.semi_axes.z * b.z}, m);
        };
        const Vector u = turned(across[0]), w = turned(across[1]);
        const double s = 1.0 / (h * h * h);
        return {.uu = s * dot(u, u), .uw = s * dot(u, w), .ww = s * dot(w, w)};
    }
};

std::optional<NearNormal> of_ellipsoids(const TurnedShape& first, const TurnedShape& second,
                                        const Vector& between, Vector n) {
    const double size = size_of_pair(first, second, between);
    const double certain_below = first.smallest_radius + second.smallest_radius;
    double last_miss = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_steps; ++step) {
        const Support one(first, n), two(second, n);
        const Vector apart = one.point + two.point - between;
        const double overlap = dot(n, apart);
        if (!(overlap < certain_below)) break;
        const std::array<Vector, 2> t = tangents(n);
        const double u = dot(t[0], apart), w = dot(t[1], apart);
        const double miss = std::sqrt(u * u + w * w);
        const bool ends = miss <= enough * size || (miss <= verified * size && miss >= last_miss);
        if (ends) {
            return NearNormal{
                .normal = n, .overlap = overlap, .arm_1 = one.point, .arm_2 = -two.point};
        }
        if (!(miss < last_miss)) break;
        last_miss = miss;
        PlaneMatrix hessian = one.radii(first, t) + two.radii(second, t);
        hessian.uu -= overlap;
        hessian.ww -= overlap;
        // Positive: no radius is smaller than the smallest of its body.
        const double inverse = 1.0 / (hessian.uu * hessian.ww - hessian.uw * hessian.uw);
        n += (inverse * (hessian.uw * w - hessian.ww * u)) * t[0] +
             (inverse * (hessian.uw * u - hessian.uu * w)) * t[1];
        n = n * (1.0 / length(n));
    }
    return std::nullopt;
}

}  // namespace

std::optional<NearNormal> near_normal(const TurnedShape& first, const TurnedShape& second,
                                      const Vector& between, const NearNormal& last) {
    if (first.is_ellipsoid && second.is_ellipsoid)
        return of_ellipsoids(first, second, between, last.normal);
    const auto found = common_point_pair(
        first, second, between,
        {.arm_1 = last.arm_1, .arm_2 = last.arm_2, .normal = last.normal, .misfit = 0.0},
        {.enough = points_enough, .most = most_steps, .most_idle = 2});
    // Where surfaces are nearly straight, a small misfit moves the points far.
    if (!found || found->misfit > points_enough) return std::nullopt;
    const double overlap = dot(found->normal, found->arm_1 - found->arm_2 - between);
    if (!(overlap < first.smallest_radius + second.smallest_radius)) return std::nullopt;
    return NearNormal{
        .normal = found->normal, .overlap = overlap, .arm_1 = found->arm_1, .arm_2 = found->arm_2};
}

}  // namespace beadwave::shapes
