#include "shapes/point_pair.hpp"

#include "shapes/surface_place.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::shapes {
namespace {

double least_axis(const TurnedShape& s) {
    return std::min({s.semi_axes.x, s.semi_axes.y, s.semi_axes.z});
}

double length_of(double u, double w) {
    return std::sqrt(u * u + w * w);
}

/// In the tangent plane [m].
struct Move {
    double u, w;
};
struct Moves {
    Move first, second;
};

/// Newton's step for the misses `tilt` of the normals [-] and `aside` of the line [m], with the
/// curvatures of both surfaces: the first point moves by s, the second by (1 - depth a) s + aside,
/// which keeps p1 - p2 along the normal.
Moves newton_step(const PlaneMatrix& a, const PlaneMatrix& b, const Move& tilt, const Move& aside,
                  double depth, double size) {
    constexpr double least = 1e-12;
    const double cuu = 1.0 - depth * a.uu, cuw = -depth * a.uw, cww = 1.0 - depth * a.ww;
    const double muu = a.uu + b.uu * cuu + b.uw * cuw + least / size;
    const double muw = a.uw + b.uu * cuw + b.uw * cww;
    const double mwu = a.uw + b.uw * cuu + b.ww * cuw;
    const double mww = a.ww + b.uw * cuw + b.ww * cww + least / size;
    const double right_u = -tilt.u - b.uu * aside.u - b.uw * aside.w;
    const double right_w = -tilt.w - b.uw * aside.u - b.ww * aside.w;
    const double inverse = 1.0 / (muu * mww - muw * mwu);
    const double su = (right_u * mww - muw * right_w) * inverse;
    const double sw = (muu * right_w - mwu * right_u) * inverse;
    return {.first = {su, sw},
            .second = {cuu * su + cuw * sw + aside.u, cuw * su + cww * sw + aside.w}};
}

}  // namespace

double size_of_pair(const TurnedShape& first, const TurnedShape& second, const Vector& between) {
    return first.farthest + second.farthest + length(between);
}

std::optional<PointPair> common_point_pair(const TurnedShape& first, const TurnedShape& second,
                                           const Vector& between, const PointPair& start,
                                           const PointSteps& steps) {
    constexpr double verified = 1e-12;
    const double size = size_of_pair(first, second, between);
    const double longest = 0.3 * std::min(least_axis(first), least_axis(second));
    Vector x1 = start.arm_1, x2 = start.arm_2;
    std::optional<PointPair> best;
    int idle = 0;
    for (int step = 0; step < steps.most && idle < steps.most_idle; ++step) {
        if (steps.count != nullptr) ++*steps.count;
        const SurfacePlace one(first, x1), two(second, x2);
        const Vector sum = one.normal() - two.normal();
        const double sum_length = length(sum);
        if (!(sum_length > 0.1)) break;
        const Vector normal = sum * (1.0 / sum_length);
        const std::array<Vector, 2> t = tangents(normal);
        const Vector tilts = one.normal() + two.normal(), apart = one.arm() - two.arm() - between;
        const Move tilt{dot(t[0], tilts), dot(t[1], tilts)};
        const Move aside{dot(t[0], apart), dot(t[1], apart)};
        const double misfit =
            std::max(length_of(tilt.u, tilt.w), length_of(aside.u, aside.w) / size);
        if (!best || misfit < best->misfit) {
            best = PointPair{
                .arm_1 = one.arm(), .arm_2 = two.arm(), .normal = normal, .misfit = misfit};
            idle = 0;
        } else {
            ++idle;
        }
        if (misfit <= steps.enough) break;
        const Moves by =
            newton_step(one.bending(t), two.bending(t), tilt, aside, dot(normal, apart), size);
        const double way =
            std::max(length_of(by.first.u, by.first.w), length_of(by.second.u, by.second.w));
        if (!std::isfinite(way)) break;
        const double part = way > longest ? longest / way : 1.0;
        x1 = one.arm() + (part * by.first.u) * t[0] + (part * by.first.w) * t[1];
        x2 = two.arm() + (part * by.second.u) * t[0] + (part * by.second.w) * t[1];
    }
    if (!best || !(best->misfit <= verified)) return std::nullopt;
    return best;
}

}  // namespace beadwave::shapes
