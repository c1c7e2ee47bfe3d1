// Motions and loads from files with steep rows, beside closed forms and plain integration.

#include "extra_features.hpp"
#include "mechanism/motor_curve.hpp"
#include "relative.hpp"

#include <numbers>
#include <random>

namespace beadwave::validation::mechanism_steep_test {
namespace {

using namespace mechanism;
using Random = std::mt19937_64;

constexpr double gravity = 9.81;

double any(Random& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

double factor(const Oscillation& given, double t) {
    return given.frequency == 0.0
               ? 1.0
               : std::sin(2.0 * std::numbers::pi * given.frequency * t + given.phase);
}

/// From 0 to 1 with three derivatives 0 at both ends, and its second derivative.
double step_of(double s) {
    if (s <= 0.0 || s >= 1.0) return s <= 0.0 ? 0.0 : 1.0;
    return s * s * s * s * (35.0 + s * (-84.0 + s * (70.0 - 20.0 * s)));
}
double curvature_of(double s) {
    if (s <= 0.0 || s >= 1.0) return 0.0;
    return s * s * (420.0 + s * (-1680.0 + s * (2100.0 - 840.0 * s)));
}

/// A driven slider that moves by `way` within `width` seconds: the force of its joint is the mass
/// times the acceleration, minus a load that oscillates.
void check_motion(Random& random) {
    const double width = std::pow(10.0, any(random, -3.0, -0.5));
    const double begin = any(random, 0.5, 3.0) * width;
    const double way = any(random, -0.2, 0.2), mass = any(random, 0.2, 3.0);
    std::vector<double> times{0.0}, places{0.0};
    constexpr int rows = 100;
    for (int i = 0; i <= rows; ++i) {
        times.push_back(begin + width * i / rows);
        places.push_back(way * step_of(static_cast<double>(i) / rows));
    }
    times.push_back(begin + width + 1.0);
    places.push_back(way);
    Mechanism made;
    made.bodies.push_back({.name = "b", .mass = mass, .inertia = 0.01, .centre = {}});
    made.joints.push_back({.kind = JointKind::slider,
                           .bodies = {ground, 0},
                           .axis = {1.0, 0.0},
                           .motor = motor_through(SmoothCurve(times, places))});
    made.gravity = {0.0, -gravity};
    made.end = begin + 1.5 * width;
    made.interval = made.end / 100.0;
    Oscillation shaking;
    double load = 0.0;
    if (random() % 2 == 0) {
        shaking = {.frequency = any(random, 0.5, 20.0), .phase = any(random, 0.0, 6.0)};
        load = any(random, -5.0, 5.0);
        made.forces.push_back({.body = 0,
                               .point = {},
                               .times = {0.0},
                               .forces = {{load, 0.0}},
                               .oscillation = shaking});
    }
    const bool friction = random() % 4 == 0, resumed = random() % 2 == 0;
    const double speed = any(random, 0.2, 2.0), mu = any(random, 0.1, 0.6);
    const std::size_t block = friction ? add_block(made, speed, mu) : 0;
    const double peak = 7.6 * std::abs(way) / (width * width);  // largest acceleration
    double worst = 0.0;
    const Sample last = last_sample(made, resumed, [&](const Sample& now) {
        const double s = (now.time - begin) / width;
        const double expected =
            mass * way / (width * width) * curvature_of(s) - load * factor(shaking, now.time);
        worst = std::max(worst, std::abs(now.joints[0].force[0] - expected));
    });
    // (1 / rows)^2 / 12 of the fourth derivative, up to 840, is 0.0009 of the peak.
    CHECK(worst < 0.0012 * mass * peak + 1e-6);
    CHECK_ABSOLUTE(last.bodies[0].centre[0], way, 1e-8);
    if (friction)
        CHECK_ABSOLUTE(last.bodies[block].centre[0], place_of_block(speed, mu, gravity, made.end),
                       1e-6);
}

/// A free body under a force whose rows are up to a microsecond apart.
void check_force(Random& random) {
    std::vector<double> times{any(random, 0.0, 0.2)}, sizes{0.0};
    for (int i = 0; i < 6; ++i) {
        times.push_back(times.back() + std::pow(10.0, any(random, -6.0, -0.5)));
        sizes.push_back(random() % 3 == 0 ? sizes.back() : any(random, -20.0, 20.0));
    }
    Oscillation shaking;
    if (random() % 2 == 0)
        shaking = {.frequency = any(random, 0.5, 6.0), .phase = any(random, 0.0, 6.0)};
    const double mass = any(random, 0.2, 3.0), inertia = any(random, 0.01, 0.2);
    Mechanism made;
    made.bodies.push_back({.name = "b", .mass = mass, .inertia = inertia, .centre = {}});
    made.end = times.back() + 0.2;
    std::vector<Vector> forces;
    for (const double size : sizes)
        forces.push_back({size, 0.0});
    made.forces.push_back(
        {.body = 0, .point = {}, .times = times, .forces = forces, .oscillation = shaking});
    made.torques.push_back(
        {.bodies = {ground, 0}, .times = times, .torques = sizes, .oscillation = shaking});
    const bool friction = random() % 4 == 0, resumed = random() % 2 == 0;
    const double speed = any(random, 0.2, 2.0), mu = any(random, 0.1, 0.6);
    std::size_t block = 0;
    if (friction) {
        made.gravity = {0.0, -gravity};
        block = add_block(made, speed, mu);
    }
    const Sample last = last_sample(made, resumed);
    // Simpson's rule on pieces between the rows: impulse, and its integral.
    double impulse = 0.0, moment = 0.0, largest = 0.0;
    std::vector<double> ends = times;
    ends.insert(ends.begin(), 0.0);
    ends.push_back(made.end);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        constexpr int parts = 400;
        const double h = (ends[i + 1] - ends[i]) / parts;
        const double first = i == 0 ? sizes[0] : sizes[i - 1];
        const double second = i >= sizes.size() ? sizes.back() : sizes[i];
        const auto at = [&](double part) {
            return (first + (second - first) * part / parts) * factor(shaking, ends[i] + part * h);
        };
        for (int k = 0; k < parts; ++k) {
            const double a = at(k), b = at(k + 0.5), c = at(k + 1.0);
            moment += impulse * h + h * h / 6.0 * (a + 2.0 * b);
            impulse += h / 6.0 * (a + 4.0 * b + c);
            largest = std::max(largest, std::abs(impulse));
        }
    }
    // The accuracy of a step is 1e-8, and there are some tens.
    CHECK_ABSOLUTE(last.bodies[0].velocity[0], impulse / mass, 1e-6 * largest / mass);
    CHECK_ABSOLUTE(last.bodies[0].centre[0], moment / mass, 1e-6 * largest / mass);
    CHECK_ABSOLUTE(last.bodies[0].angular_velocity, impulse / inertia, 1e-6 * largest / inertia);
    if (friction)
        CHECK_ABSOLUTE(last.bodies[block].centre[0], place_of_block(speed, mu, gravity, made.end),
                       1e-6);
}

void check_steep(std::uint64_t seed, int count) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        CAPTURE(seed);
        CAPTURE(i);
        if (i % 2 == 0)
            check_motion(random);
        else
            check_force(random);
    }
}

}  // namespace

TEST_CASE("a push that rises within a moment gives a body at rest its impulse") {
    for (const double rise : {1e-2, 1e-3, 1e-4, 1e-6, 1e-8}) {
        CAPTURE(rise);
        Mechanism made;
        made.bodies.push_back({.name = "b", .mass = 1.0, .inertia = 0.01, .centre = {}});
        made.forces.push_back({.body = 0,
                               .point = {},
                               .times = {0.0, 0.5, 0.5 + rise, 2.0},
                               .forces = {{}, {}, {8.0, 0.0}, {8.0, 0.0}}});
        made.end = 2.0;
        const Sample last = last_sample(made, false);
        CHECK_RELATIVE(last.bodies[0].velocity[0], 8.0 * (1.5 - 0.5 * rise), 1e-7);
    }
}

TEST_CASE(
    "inertia forces of a crank that follows a sine in a file are right to a few tenths of a "
    "percent") {
    constexpr double turn = 2.0 * std::numbers::pi;
    for (const int n : {50, 200, 1000}) {
        CAPTURE(n);
        std::vector<double> times, places;
        for (int i = 0; i <= 2 * n; ++i) {
            times.push_back(static_cast<double>(i) / n);
            places.push_back(0.3 * std::sin(turn * times.back()));
        }
        Mechanism made;
        made.bodies.push_back({.name = "b", .mass = 2.0, .inertia = 0.01, .centre = {}});
        made.joints.push_back({.kind = JointKind::slider,
                               .bodies = {ground, 0},
                               .axis = {1.0, 0.0},
                               .motor = motor_through(SmoothCurve(times, places))});
        made.end = 2.0;
        made.interval = 0.00537;
        double worst = 0.0;
        simulate(made, [&](const Sample& now) {
            const double expected = -2.0 * 0.3 * turn * turn * std::sin(turn * now.time);
            if (now.time > 8.0 / n && now.time < 2.0 - 8.0 / n)
                worst = std::max(worst, std::abs(now.joints[0].force[0] - expected));
        });
        const double relative = worst / (2.0 * 0.3 * turn * turn);
        CHECK(relative < 1.1 * turn * turn / (12.0 * n * n) + 1e-7);
    }
}

TEST_CASE("random motions and loads with steep rows: 1") {
    check_steep(11, 25);
}
TEST_CASE("random motions and loads with steep rows: 2") {
    check_steep(12, 25);
}
TEST_CASE("random motions and loads with steep rows: 3") {
    check_steep(13, 25);
}
TEST_CASE("random motions and loads with steep rows: 4") {
    check_steep(14, 25);
}

}  // namespace beadwave::validation::mechanism_steep_test
