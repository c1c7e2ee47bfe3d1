#include "translation/law_points.hpp"

#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/pair_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace beadwave::translation {
namespace {

double sphere_radius(const laws::Contact& contact) {
    if (!contact.bodies) return std::numeric_limits<double>::infinity();
    const auto& [a, b] = *contact.bodies;
    if (std::isinf(a.radius) || std::isinf(b.radius))
        return std::numeric_limits<double>::infinity();
    return a.radius == b.radius ? a.radius : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::vector<double> Range::values(std::size_t count) const {
    if (low == high) return {low};
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(count - 1);
        all.push_back(low * std::pow(high / low, part));
    }
    all.back() = high;
    return all;
}

double Range::middle() const {
    return std::sqrt(low * high);
}

std::vector<Point> points_of(const Wanted& wanted) {
    std::vector<Point> points;
    for (const double mass : wanted.masses.values(3)) {
        for (const double speed : wanted.speeds.values(7)) {
            Point point{.speed = speed,
                        .mass = mass,
                        .parts = true,
                        .restitution = 0.0,
                        .duration = 0.0,
                        .overlap = 0.0,
                        .residual = 0.0};
            const laws::AnyLaw law = wanted.law(mass, speed);
            try {
                const laws::Collision hit = laws::collide(law, mass, speed);
                point.restitution = hit.restitution;
                point.duration = hit.duration;
                point.overlap = hit.max_overlap;
                point.residual = hit.residual_overlap;
            } catch (const std::runtime_error&) {
                point.parts = false;  // it sticks, or is overdamped
            }
            points.push_back(point);
        }
    }
    return points;
}

bool is_hertz(const Wanted& wanted, double overlap) {
    const laws::AnyLaw law = wanted.law(wanted.masses.middle(), wanted.speeds.middle());
    for (const double part : {1e-3, 1e-2, 0.1, 0.5, 1.0}) {
        const double at = part * overlap;
        const double expected = hertz_force(wanted.contact.stiffness, at);
        if (!(std::abs(law.respond(at, 0.0, {}).force - expected) <= 1e-6 * expected)) return false;
    }
    return true;
}

Touch touch_of(const Wanted& wanted, const std::vector<Point>& points) {
    const double speed = wanted.speeds.middle(), mass = wanted.masses.middle();
    const auto far = [&](const Point& p) {
        return std::abs(std::log(p.speed / speed)) + std::abs(std::log(p.mass / mass)) +
               (p.parts ? 0.0 : 1e9);
    };
    const Point& at = *std::ranges::min_element(points, {}, far);
    return {.radius = wanted.contact.radius,
            .mass = at.mass,
            .poisson_ratio = wanted.contact.poisson_ratio.value_or(laws::assumed_poisson_ratio),
            .speed = speed,
            .overlap = at.overlap,
            .time = at.duration,
            .sphere_radius = sphere_radius(wanted.contact)};
}

}  // namespace beadwave::translation
