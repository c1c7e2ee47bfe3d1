#include "shapes/first_touch.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::shapes {
namespace {

/// No point of the surface moves faster than this relative to the centre [m/s].
double fastest_turn(const Body& b) {
    return farthest(b.shape) * length(b.momentum) /
           std::min({b.moments.x, b.moments.y, b.moments.z});
}

/// Whether the balls around both pass each other from now on.
bool never_meet(const Pair& pair) {
    const Body& a = pair.first;
    if (const Body* const b = pair.other()) {
        const Vector between = b->shape.centre - a.shape.centre, way = a.velocity - b->velocity;
        const double speed2 = dot(way, way), ahead = dot(between, way);
        const double closest2 =
            dot(between, between) - (ahead > 0.0 ? ahead * ahead / speed2 : 0.0);
        const double reach = farthest(a.shape) + farthest(b->shape);
        return closest2 > reach * reach;
    }
    const HalfSpace& wall = std::get<HalfSpace>(pair.second);
    return dot(wall.normal, a.velocity) >= 0.0 &&
           dot(wall.normal, a.shape.centre) - wall.offset > farthest(a.shape);
}

/// Points of both approach each other more slowly than this along any normal [m/s].
double fastest_approach(const Pair& pair, const Vector& normal) {
    const Body& a = pair.first;
    if (const Body* const b = pair.other())
        return length(a.velocity - b->velocity) + fastest_turn(a) + fastest_turn(*b);
    return std::max(0.0, dot(normal, a.velocity)) + fastest_turn(a);
}

}  // namespace

double fly_to_touch(Pair& pair) {
    constexpr int most_steps = 100'000;
    constexpr double touching = 1e-13, overlapping = 1e-12;
    Body* const other = pair.other();
    const double size =
        farthest(pair.first.shape) + (other != nullptr ? farthest(other->shape) : 0.0);
    double time = 0.0;
    Gap gap = gap_between(pair);
    if (gap.overlap > overlapping * size) {
        throw ArgumentError(
            fmt::format("the two bodies overlap by {:g} m at the start; expected bodies that are "
                        "apart, or that just touch",
                        gap.overlap));
    }
    for (int step = 0; step < most_steps; ++step) {
        if (-gap.overlap <= touching * size && gap.approach > 0.0) return time;
        const double fastest = fastest_approach(pair, gap.normal);
        if (never_meet(pair) || !(fastest > 0.0)) {
            throw ArgumentError(
                "the two bodies never meet; expected positions and velocities that bring them "
                "together");
        }
        const double wait = std::max(-gap.overlap, touching * size) / fastest;
        fly(pair.first, wait);
        if (other != nullptr) fly(*other, wait);
        time += wait;
        gap = gap_between(pair, gap.normal);
    }
    throw ArgumentError(
        fmt::format("the two bodies did not meet within {:g} s; expected positions and velocities "
                    "that bring them together",
                    time));
}

}  // namespace beadwave::shapes
