#include "packing/walls/revolved.hpp"

#include "packing/state/finite.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

using Meridian = Revolved::Meridian;
using OnLine = Revolved::OnLine;

Vec3 any_across(const Vec3& axis) {
    const Vec3 least = std::abs(axis.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 across = cross(axis, least);
    return (1.0 / std::sqrt(dot(across, across))) * across;
}

Meridian meridian(const Vec3& from_point, const Vec3& axis) {
    const double along = dot(from_point, axis);
    const Vec3 across = from_point - along * axis;
    const double away = std::sqrt(dot(across, across));
    return {along, away, away > 0.0 ? (1.0 / away) * across : any_across(axis)};
}

OnLine nearest(const Revolved& s, const Meridian& m) {
    if (s.is_endless()) return {m.along, s.radius_1, true};
    const double widening = s.radius_2 - s.radius_1;
    const double squared = s.length * s.length + widening * widening;
    const double part = (m.along * s.length + (m.away - s.radius_1) * widening) / squared;
    const double limited = std::clamp(part, 0.0, 1.0);
    return {limited * s.length, s.radius_1 + limited * widening, limited == part};
}

}  // namespace

const char* Revolved::fault() const {
    if (!finite(point)) return "point is not finite";
    if (!(std::abs(dot(axis, axis) - 1.0) < 1e-12)) return "axis is not of unit length";
    if (!(radius_1 >= 0.0 && radius_2 >= 0.0 && length >= 0.0) || !std::isfinite(radius_1) ||
        !std::isfinite(radius_2))
        return "a radius or the length is not a number, 0 or larger";
    if (is_endless() && !(radius_1 > 0.0 && radius_1 == radius_2))
        return "is endless, but no cylinder";
    const bool is_line = radius_1 == 0.0 && radius_2 == 0.0;
    const bool is_circle = length == 0.0 && radius_1 == radius_2;
    if (is_line || is_circle) return "has no surface";
    return nullptr;
}

Revolved::NearestOnLine Revolved::nearest_on_line(const Vec3& centre, const Vec3& moved) const {
    const Meridian m = meridian(centre - point - moved, axis);
    const OnLine at = nearest(*this, m);
    return {.from = {m.along, m.away}, .at = {at.along, at.away}};
}

SurfacePoint Revolved::closest(const Vec3& centre, const Vec3& moved) const {
    const Vec3 base = point + moved;
    const Meridian m = meridian(centre - base, axis);
    const OnLine at = nearest(*this, m);
    const double along = m.along - at.along, away = m.away - at.away;
    const double distance = std::hypot(along, away);
    SurfacePoint found{
        .point = base + at.along * axis + at.away * m.radial, .normal = {}, .distance = distance};
    if (distance > 0.0) {
        found.normal = (along / distance) * axis + (away / distance) * m.radial;
    } else {  // across the line
        const double run = is_endless() ? 1.0 : length, rise = radius_2 - radius_1;
        const double size = std::hypot(run, rise);
        found.normal = (rise / size) * axis - (run / size) * m.radial;
    }
    return found;
}

Revolved::Start Revolved::start(const Vec3& reference, const Vec3& from) const {
    const Vec3 centre = reference - point - from;
    const Meridian place = meridian(centre, axis);
    return {centre, place, nearest(*this, place)};
}

double Revolved::same_side(const Start& start) const {
    // Of half the way to the axis the normal turns by less than a right angle. At an end it can
    // turn by any.
    return is_endless() ? 0.5 * start.meridian.away : 0.0;
}

Vec3 Revolved::follow(const Start& start, const Vec3& reference, const Vec3& displacement,
                      const Vec3& from, const Vec3& moved) const {
    const Vec3 step = displacement - moved;
    const Meridian &before = start.meridian, after = meridian(start.centre + step, axis);
    if (!(before.away > 0.0 && after.away > 0.0)) {
        return closest(reference + displacement, from + moved).point -
               closest(reference, from).point;
    }
    // The differences of large numbers, written with the small ones.
    const double along = dot(step, axis);
    const Vec3 across = step - along * axis;
    const double away = (2.0 * before.away * dot(before.radial, across) + dot(across, across)) /
                        (before.away + after.away);
    const Vec3 turn = (1.0 / after.away) * (across - away * before.radial);  // of the radial vector
    const OnLine &old_place = start.place, new_place = nearest(*this, after);
    double line_along = new_place.along - old_place.along,
           line_away = new_place.away - old_place.away;
    if (is_endless()) {
        line_along = along;
    } else if (old_place.inner && new_place.inner) {
        const double widening = radius_2 - radius_1;
        const double part =
            (along * length + away * widening) / (length * length + widening * widening);
        line_along = part * length;
        line_away = part * widening;
    }
    return moved + line_along * axis + line_away * after.radial + old_place.away * turn;
}

}  // namespace beadwave::packing
