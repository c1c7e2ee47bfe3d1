// Places of corners and discs: on rounded cores, in sockets, on curves.
#include "mechanism/shapes/places.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::mechanism::shapes {
namespace {

/// A contact that belongs to another place: this one is apart.
void take_away(Nearest& found) {
    found.overlap = -std::abs(found.overlap);
}

/// The point of a core nearest to a place outside it; inside, the nearest point of its outline.
struct OnCore {
    double distance;  ///< [m]; inside a polygon below 0
    Vector outward;   ///< unit vector from the point
    bool corner;      ///< a corner, not within a side
};

OnCore nearest_on_side(const Vector& from, const Vector& to, const Vector& place, bool thin) {
    const Vector along = unit_vector(to - from);
    const double beyond = dot(place - from, along);
    if (beyond > 0.0 && beyond < length(to - from)) {
        const Vector outward{along[1], -along[0]};
        const double height = dot(place - from, outward);
        if (thin && height < 0.0) return {-height, -outward, false};
        return {height, outward, false};
    }
    const Vector between = place - (beyond > 0.0 ? to : from);
    const double distance = length(between);
    if (distance == 0.0) return {0.0, Vector{along[1], -along[0]}, true};
    return {distance, (1.0 / distance) * between, true};
}

OnCore nearest_on(const std::vector<Vector>& core, const Vector& place) {
    if (core.size() == 1) {
        const double distance = length(place - core[0]);
        const Vector outward =
            distance > 0.0 ? (1.0 / distance) * (place - core[0]) : Vector{1.0, 0.0};
        return {distance, outward, true};
    }
    if (core.size() == 2) return nearest_on_side(core[0], core[1], place, true);
    std::optional<OnCore> best;
    for (std::size_t k = 0; k < core.size(); ++k) {
        const OnCore found = nearest_on_side(core[k], core[(k + 1) % core.size()], place, false);
        if (!best || std::abs(found.distance) < std::abs(best->distance)) best = found;
    }
    return *best;
}

}  // namespace

Corner::Corner(const Rounded& rounded, std::size_t number)
    : point(rounded.core[number]), radius(rounded.radius), sector(rounded.sector) {
    const std::size_t n = rounded.core.size();
    if (n > 1) {
        neighbours = std::array{rounded.core[(number + n - 1) % n], rounded.core[(number + 1) % n]};
    }
}

bool Corner::faces(const Vector& direction) const {
    if (sector && !sector->contains(direction)) return false;
    if (!neighbours) return true;
    return dot(direction, (*neighbours)[0] - point) <= 0.0 &&
           dot(direction, (*neighbours)[1] - point) <= 0.0;
}

Nearest CornerOnRounded::nearest(const Pose& first, const Pose& second) const {
    const Vector at = first.at(corner_.point);
    const OnCore found = nearest_on(rounded_.core, second.from(at));
    const Vector normal = second.turned(found.outward);
    Nearest result{.overlap = corner_.radius + rounded_.radius - found.distance,
                   .normal = normal,
                   .first = at - corner_.radius * normal,
                   .radii = {corner_.radius, found.corner ? rounded_.radius : infinity}};
    // A corner that touches a side need not face it: a body that lies flat has two such corners.
    const bool faces =
        (!found.corner && !corner_.sector) || corner_.faces(first.turned_back(-normal));
    const bool faced = !rounded_.sector || rounded_.sector->contains(found.outward);
    const bool elsewhere = found.corner && rounded_.core.size() > 1 && !shares_corners_;
    if (!faces || !faced || elsewhere) take_away(result);
    return result;
}

Nearest CornerInSocket::nearest(const Pose& first, const Pose& second) const {
    const Vector at = first.at(corner_.point);
    const Vector place = second.from(at), arm = place - socket_.centre;
    const double distance = length(arm);
    if (distance == 0.0 || socket_.sector.contains(arm)) {
        const bool inside = distance < socket_.radius;
        const Vector outward = distance > 0.0 ? (1.0 / distance) * arm : Vector{1.0, 0.0};
        const Vector normal = second.turned(inside ? -outward : outward);
        return {.overlap = corner_.radius - std::abs(socket_.radius - distance),
                .normal = normal,
                .first = at - corner_.radius * normal,
                .radii = {corner_.radius, inside ? -socket_.radius : socket_.radius}};
    }
    const std::vector<Vector> ends = socket_.ends();
    const bool nearer = length(place - ends[0]) <= length(place - ends[1]);
    const Vector between = place - ends[nearer ? 0 : 1];
    const double gap = length(between);
    const Vector normal = second.turned(gap > 0.0 ? (1.0 / gap) * between : -unit_vector(arm));
    Nearest result{.overlap = corner_.radius - gap,
                   .normal = normal,
                   .first = at - corner_.radius * normal,
                   .radii = {corner_.radius, 0.0}};
    if (!corner_.faces(first.turned_back(-normal))) take_away(result);
    return result;
}

Nearest CornerOnCurve::nearest(const Pose& first, const Pose& second) const {
    const Vector at = first.at(corner_.point), place = second.from(at);
    const Curve::Point found = curve_->nearest_to(place);
    const Vector outward = found.outward();
    const Vector normal = second.turned(outward);
    Nearest result{.overlap = corner_.radius - dot(place - found.position, outward),
                   .normal = normal,
                   .first = at - corner_.radius * normal,
                   .radii = {corner_.radius, found.radius()}};
    if (!corner_.faces(first.turned_back(-normal))) take_away(result);
    return result;
}

}  // namespace beadwave::mechanism::shapes
