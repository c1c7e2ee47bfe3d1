// Moments of a union of balls of which no three have a volume in common, in closed form.

#include "shapes/clump.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::shapes {
namespace {

using std::numbers::pi;

/// What a ball loses to another one: the cap beyond the plane of the circle on which they meet.
struct Cap {
    Vector towards{};     ///< unit
    double height = 0.0;  ///< of the plane above the ball's centre [m]
};

/// Whether another ball holds this one; of equal ones the first stays.
bool is_hidden(std::span<const Ball> balls, std::size_t i) {
    for (std::size_t j = 0; j < balls.size(); ++j) {
        if (j == i) continue;
        const double more = balls[j].radius - balls[i].radius;
        if (length(balls[j].centre - balls[i].centre) > more) continue;
        if (balls[j] != balls[i] || j < i) return true;
    }
    return false;
}

std::vector<Cap> caps_of(std::span<const Ball> balls, std::size_t i) {
    std::vector<Cap> caps;
    const double r = balls[i].radius;
    for (std::size_t j = 0; j < balls.size(); ++j) {
        const Vector way = balls[j].centre - balls[i].centre;
        const double distance = length(way), other = balls[j].radius;
        if (j == i || distance >= r + other || is_hidden(balls, j)) continue;
        caps.push_back({.towards = way * (1.0 / distance),
                        .height = 0.5 * (distance + (r - other) * (r + other) / distance)});
    }
    return caps;
}

/// Adds a body with these moments about `centre` and about an axis `u` through it: second moments
/// `along` and `across` it.
void add_round(VolumeMoments& all, const Vector& centre, double volume, const Vector& u,
               double first, double along, double across) {
    const Vector f = first * u, &c = centre;
    const double d = along - across;
    all.volume += volume;
    all.first += f + volume * c;
    all.squares += Vector{across + d * u.x * u.x + 2.0 * c.x * f.x + volume * c.x * c.x,
                          across + d * u.y * u.y + 2.0 * c.y * f.y + volume * c.y * c.y,
                          across + d * u.z * u.z + 2.0 * c.z * f.z + volume * c.z * c.z};
    all.products += Vector{d * u.y * u.z + c.y * f.z + c.z * f.y + volume * c.y * c.z,
                           d * u.z * u.x + c.z * f.x + c.x * f.z + volume * c.z * c.x,
                           d * u.x * u.y + c.x * f.y + c.y * f.x + volume * c.x * c.y};
}

/// A slice of a ball at the height t above its centre has the area pi (r^2 - t^2), and the second
/// moment pi/4 (r^2 - t^2)^2 about its own middle: these are their integrals from h to r.
void take_cap(VolumeMoments& all, const Ball& ball, const Cap& cap) {
    const double r = ball.radius, h = cap.height, r2 = r * r, h2 = h * h;
    const double volume = pi / 3.0 * (r - h) * (r - h) * (2.0 * r + h);
    const double first = 0.25 * pi * (r2 - h2) * (r2 - h2);
    const double along = pi * (2.0 / 15.0 * r2 * r2 * r - r2 * h2 * h / 3.0 + h2 * h2 * h / 5.0);
    const double across =
        0.25 * pi *
        (8.0 / 15.0 * r2 * r2 * r - r2 * r2 * h + 2.0 / 3.0 * r2 * h2 * h - h2 * h2 * h / 5.0);
    add_round(all, ball.centre, -volume, cap.towards, -first, -along, -across);
}

}  // namespace

bool have_only_caps(std::span<const Ball> balls) {
    for (std::size_t i = 0; i < balls.size(); ++i) {
        if (is_hidden(balls, i)) continue;
        const std::vector<Cap> caps = caps_of(balls, i);
        const auto half_angle = [&](const Cap& cap) {
            return std::acos(std::clamp(cap.height / balls[i].radius, -1.0, 1.0));
        };
        for (std::size_t a = 0; a < caps.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const double angle = std::atan2(length(cross(caps[a].towards, caps[b].towards)),
                                                dot(caps[a].towards, caps[b].towards));
                if (angle < half_angle(caps[a]) + half_angle(caps[b])) return false;
            }
        }
    }
    return true;
}

VolumeMoments moments_by_caps(std::span<const Ball> balls) {
    VolumeMoments all;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        if (is_hidden(balls, i)) continue;
        const double r = balls[i].radius, volume = 4.0 / 3.0 * pi * r * r * r;
        const double second = 0.2 * volume * r * r;
        add_round(all, balls[i].centre, volume, {}, 0.0, second, second);
        for (const Cap& cap : caps_of(balls, i))
            take_cap(all, balls[i], cap);
    }
    return all;
}

}  // namespace beadwave::shapes
