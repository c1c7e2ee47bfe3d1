#include "shapes/clump.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwave::shapes {
namespace {

/// Rows of a symmetric tensor.
using Tensor = std::array<Vector, 3>;

Vector times(const Tensor& t, const Vector& v) {
    return {dot(t[0], v), dot(t[1], v), dot(t[2], v)};
}

/// The inertia about the centroid over the mass.
Tensor inertia_of(const VolumeMoments& m) {
    const Vector c = m.first * (1.0 / m.volume);
    const Vector s = m.squares * (1.0 / m.volume) - Vector{c.x * c.x, c.y * c.y, c.z * c.z};
    const Vector p = m.products * (1.0 / m.volume) - Vector{c.y * c.z, c.z * c.x, c.x * c.y};
    return {{{s.y + s.z, -p.z, -p.y}, {-p.z, s.z + s.x, -p.x}, {-p.y, -p.x, s.x + s.y}}};
}

/// Jacobi's method, on the tensor as it was given: rounding does not add up. The axes turn by as
/// little as it takes, and not at all where they are principal ones already.
void set_principal(Clump& clump, const Tensor& inertia) {
    const double trace = inertia[0].x + inertia[1].y + inertia[2].z;
    constexpr double rounding = 1e-15;
    constexpr int most_turns = 100;  // about ten are needed
    for (int turn = 0; turn < most_turns; ++turn) {
        const std::array<Vector, 3> unit{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
        std::array<Vector, 3> axis{}, product{};
        for (std::size_t k = 0; k < 3; ++k) {
            axis[k] = to_space(clump.axes, unit[k]);
            product[k] = times(inertia, axis[k]);
        }
        const auto part = [&](std::size_t i, std::size_t j) { return dot(axis[i], product[j]); };
        clump.inertia = {part(0, 0), part(1, 1), part(2, 2)};
        std::size_t i = 0;
        for (const std::size_t other : {std::size_t{1}, std::size_t{2}}) {
            if (std::abs(part(other, (other + 1) % 3)) > std::abs(part(i, (i + 1) % 3))) i = other;
        }
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        const double between = part(i, j);
        if (!(std::abs(between) > rounding * trace)) return;
        const double angle = 0.5 * std::atan(2.0 * between / (part(i, i) - part(j, j)));
        const Vector about = std::sin(0.5 * angle) * unit[k];
        clump.axes =
            normalised(clump.axes * Quaternion{std::cos(0.5 * angle), about.x, about.y, about.z});
    }
}

void require_balls(std::span<const Ball> balls) {
    if (balls.empty() || balls.size() > most_balls) {
        throw ArgumentError(
            fmt::format("has {} spheres; expected from 1 to {}", balls.size(), most_balls));
    }
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const Ball& ball = balls[i];
        if (!(std::isnormal(ball.radius) && ball.radius > 0.0)) {
            throw ArgumentError(fmt::format(
                "has a sphere, number {}, of the radius {:g} m; expected a finite number above 0",
                i, ball.radius));
        }
        if (!std::isfinite(length(ball.centre))) {
            throw ArgumentError(
                fmt::format("has a sphere, number {}, whose centre is not finite", i));
        }
    }
}

}  // namespace

double Clump::smallest_radius() const {
    return std::ranges::min_element(balls, {}, &Ball::radius)->radius;
}

double Clump::reach(const Vector& n) const {
    double farthest = dot(n, balls.front().centre) + balls.front().radius;
    for (const Ball& ball : balls)
        farthest = std::max(farthest, dot(n, ball.centre) + ball.radius);
    return farthest;
}

std::shared_ptr<const Clump> make_clump(std::span<const Ball> given) {
    require_balls(given);
    // In lengths of its own size, from its middle: no power of a length overflows or vanishes.
    Vector middle{};
    for (const Ball& ball : given)
        middle += ball.centre * (1.0 / static_cast<double>(given.size()));
    double size = 0.0;
    for (const Ball& ball : given)
        size = std::max(size, length(ball.centre - middle) + ball.radius);
    std::vector<Ball> balls;
    for (const Ball& ball : given)
        balls.push_back({(ball.centre - middle) * (1.0 / size), ball.radius / size});
    const VolumeMoments moments =
        have_only_caps(balls) ? moments_by_caps(balls) : moments_by_slices(balls);
    Clump clump;
    clump.volume = moments.volume;
    const Vector centroid = moments.first * (1.0 / moments.volume);
    for (const Ball& ball : balls) {
        const Vector from = ball.centre - centroid;
        clump.balls.push_back({from, ball.radius});
        clump.radius = std::max(clump.radius, length(from) + ball.radius);
    }
    set_principal(clump, inertia_of(moments));
    return scaled(clump, size);
}

std::shared_ptr<const Clump> scaled(const Clump& clump, double factor) {
    auto larger = std::make_shared<Clump>(clump);
    for (Ball& ball : larger->balls)
        ball = {factor * ball.centre, factor * ball.radius};
    larger->radius *= factor;
    larger->volume *= factor * factor * factor;
    larger->inertia = (factor * factor) * larger->inertia;
    return larger;
}

}  // namespace beadwave::shapes
