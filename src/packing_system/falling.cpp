#include "packing_system/falling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <variant>

namespace beadwave::running {
namespace {

using packing::Packing;
using packing::Vec3;

/// Whether the box repeats along every axis of gravity.
bool comes_back(const Packing& packing) {
    const std::array<double, 3> gravity{packing.gravity.x, packing.gravity.y, packing.gravity.z};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (gravity[axis] != 0.0 && !packing.box.periodic[axis]) return false;
    return true;
}

/// A plane that faces against gravity carries all particles, as it has no end.
bool may_be_floor(const packing::Wall& wall, const Vec3& down) {
    const auto* const plane = std::get_if<packing::Plane>(&wall.shape);
    return plane == nullptr || dot(plane->normal, down) < 0.0;
}

/// Whether particles come closer to each other, in the mean over all pairs: they may be meant to
/// collide as they fall. The sum over pairs of distance times its rate, by the mean place and
/// velocity.
bool approach(const Packing& packing) {
    Vec3 place{}, velocity{};
    double count = 0.0;
    const auto each = [&](const auto& use) {
        for (std::size_t i = 0; i < packing.particles(); ++i)
            if (!packing.waits(i)) use(packing.position[i], packing.velocity[i]);
    };
    each([&](const Vec3& at, const Vec3& v) {
        place = place + at;
        velocity = velocity + v;
        count += 1.0;
    });
    if (!(count > 0.0)) return false;
    place = (1.0 / count) * place;
    velocity = (1.0 / count) * velocity;
    double sum = 0.0, size = 0.0;
    each([&](const Vec3& at, const Vec3& v) {
        const Vec3 from = at - place;
        sum += dot(from, v - velocity);
        size += std::sqrt(dot(from, from) * dot(v, v));
    });
    constexpr double rounding = 1e-9;
    return sum < -rounding * size;
}

}  // namespace

std::optional<std::string> nothing_below(const Packing& packing, double end) {
    const double gravity = std::sqrt(dot(packing.gravity, packing.gravity));
    if (!(gravity > 0.0) || comes_back(packing) || !packing.elements.empty() ||
        !packing.exits.empty() || approach(packing))
        return std::nullopt;
    const Vec3 down = (1.0 / gravity) * packing.gravity;
    if (std::ranges::any_of(packing.walls,
                            [&](const auto& wall) { return may_be_floor(wall, down); }))
        return std::nullopt;
    double lowest_held = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < packing.particles(); ++i)
        if (packing.is_held(i)) lowest_held = std::max(lowest_held, dot(packing.position[i], down));
    std::size_t falling = 0, first = 0;
    for (std::size_t i = 0; i < packing.particles(); ++i) {
        if (packing.is_held(i) || packing.waits(i)) continue;
        const double fall = dot(packing.velocity[i], down) * end + 0.5 * gravity * end * end;
        if (dot(packing.position[i], down) < lowest_held || fall < 2.0 * packing.radius[i])
            continue;
        if (falling++ == 0) first = i;
    }
    if (falling < 2) return std::nullopt;
    return fmt::format(
        "gravity pulls {} of {} particles, particle {} for example, towards [{:g}, {:g}, {:g}], "
        "where no wall and no held particle is: they fall without an end; expected a floor, whose "
        "normal points to the particles, or the other sign of gravity.acceleration",
        falling, packing.particles(), first, packing.gravity.x, packing.gravity.y,
        packing.gravity.z);
}

}  // namespace beadwave::running
