// Loops that repeat conditions: couplers on parallel cranks, trammels with a crank. Each has one
// angle, whose equation of motion the test integrates by itself.

#include "extra_features.hpp"
#include "mechanism/start.hpp"
#include "relative.hpp"
#include "three_cranks.hpp"

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace beadwave::validation::mechanism_redundant_test {
namespace {

using namespace mechanism;

/// M(a) a'' + M'(a) a'^2 / 2 = Q(a, t), and the centre of body 0 at the angle a.
struct OneAngle {
    Mechanism made;
    double start = 0.0, speed = 0.0;
    std::function<double(double)> inertia, slope;
    std::function<double(double, double)> force;
    std::function<Vector(double)> centre;

    /// The angle at the end, by Runge and Kutta's method with 2000 steps.
    double angle_at_end() const {
        constexpr int steps = 2000;
        const double h = made.end / steps;
        double a = start, w = speed;
        const auto faster = [&](double at, double rate, double t) {
            return (force(at, t) - 0.5 * slope(at) * rate * rate) / inertia(at);
        };
        for (int i = 0; i < steps; ++i) {
            const double t = i * h;
            const double k1 = faster(a, w, t), w2 = w + 0.5 * h * k1;
            const double k2 = faster(a + 0.5 * h * w, w2, t + 0.5 * h), w3 = w + 0.5 * h * k2;
            const double k3 = faster(a + 0.5 * h * w2, w3, t + 0.5 * h), w4 = w + h * k3;
            const double k4 = faster(a + h * w3, w4, t + h);
            a += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
            w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        return a;
    }
};

using Random = std::mt19937_64;

double any(Random& random, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

constexpr double gravity = 9.81;

/// Any order of the joints, and of the bodies of each: other joints close the loops then.
void shuffle(Mechanism& made, Random& random) {
    std::vector<std::size_t> order(made.joints.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Joint> joints;
    for (const std::size_t j : order) {
        joints.push_back(made.joints[j]);
        if (joints.back().kind == JointKind::revolute && random() % 2 == 0)
            std::swap(joints.back().bodies[0], joints.back().bodies[1]);
    }
    made.joints = std::move(joints);
}

/// Adds an oscillating load on body 0, or none; its value at a time.
std::function<Vector(double)> add_load(Mechanism& made, Random& random) {
    if (random() % 2 == 0) return [](double) { return Vector{}; };
    const Vector size{any(random, -8.0, 8.0), any(random, -8.0, 8.0)};
    const Oscillation given{.frequency = any(random, 0.5, 6.0), .phase = any(random, 0.0, 6.0)};
    made.forces.push_back({.body = 0,
                           .point = made.bodies[0].centre,
                           .times = {0.0},
                           .forces = {size},
                           .oscillation = given});
    return [=](double t) {
        return std::sin(2.0 * std::numbers::pi * given.frequency * t + given.phase) * size;
    };
}

/// A coupler, body 0, on three to five parallel cranks.
OneAngle cranks(Random& random) {
    OneAngle one;
    const double length = any(random, 0.3, 1.5), direction = any(random, 0.0, 6.28);
    const Vector crank{length * std::cos(direction), length * std::sin(direction)};
    const int count = 3 + static_cast<int>(random() % 3);
    Mechanism& made = one.made;
    const double mass = any(random, 0.5, 3.0);
    made.bodies.push_back({.name = "coupler",
                           .mass = mass,
                           .inertia = any(random, 0.05, 0.5),
                           .centre = {any(random, 0.0, 2.0), any(random, -1.0, 1.0)}});
    double inertia = mass * length * length;
    Vector moment = mass * crank;  // sum of mass times arm
    one.speed = any(random, -4.0, 4.0);
    for (int i = 0; i < count; ++i) {
        // The second is out of line with the others.
        const Vector base{i + any(random, -0.3, 0.3), i == 1 ? any(random, 0.2, 1.0) : 0.0};
        const Vector arm = any(random, 0.2, 0.8) * crank + any(random, -0.2, 0.2) * left_of(crank);
        const Body body{.name = "crank" + std::to_string(i),
                        .mass = any(random, 0.1, 1.0),
                        .inertia = any(random, 0.01, 0.1),
                        .centre = base + arm,
                        .angular_velocity = one.speed};
        inertia += body.inertia + body.mass * dot(arm, arm);
        moment = moment + body.mass * arm;
        made.bodies.push_back(body);
        const std::size_t number = made.bodies.size() - 1;
        made.joints.push_back(
            {.kind = JointKind::revolute, .bodies = {ground, number}, .point = base});
        made.joints.push_back(
            {.kind = JointKind::revolute, .bodies = {number, 0}, .point = base + crank});
    }
    const auto load = add_load(made, random);
    one.inertia = [=](double) { return inertia; };
    one.slope = [](double) { return 0.0; };
    one.force = [=](double a, double t) {
        return dot(left_of(rotated(moment, a)), {0.0, -gravity}) +
               dot(left_of(rotated(crank, a)), load(t));
    };
    one.centre = [crank, at = made.bodies[0].centre - crank](double a) {
        return at + rotated(crank, a);
    };
    return one;
}

/// A bar, body 0, whose ends slide along x and along y, with a crank from the origin to its middle.
OneAngle trammel(Random& random) {
    OneAngle one;
    const double l = any(random, 0.3, 1.0);
    one.start = any(random, 0.2, 1.3);
    one.speed = any(random, -4.0, 4.0);
    const double c = std::cos(one.start), s = std::sin(one.start);
    Mechanism& made = one.made;
    const double part = any(random, 0.2, 0.8);
    made.bodies = {{.name = "bar", .mass = 1.2, .inertia = 0.1, .centre = {l * c, l * s}},
                   {.name = "along x",
                    .mass = any(random, 0.2, 2.0),
                    .inertia = 0.01,
                    .centre = {2.0 * l * c, 0.0}},
                   {.name = "along y",
                    .mass = any(random, 0.2, 2.0),
                    .inertia = 0.01,
                    .centre = {0.0, 2.0 * l * s}},
                   {.name = "crank",
                    .mass = 0.4,
                    .inertia = 0.03,
                    .centre = {part * l * c, part * l * s},
                    .angular_velocity = one.speed}};
    made.bodies[0].angular_velocity = -one.speed;
    made.bodies[0].velocity = Vector{-l * s * one.speed, l * c * one.speed};
    made.bodies[1].velocity = Vector{-2.0 * l * s * one.speed, 0.0};
    made.bodies[2].velocity = Vector{0.0, 2.0 * l * c * one.speed};
    const auto turn = JointKind::revolute;
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 1}, .axis = {1.0, 0.0}},
                   {.kind = JointKind::slider, .bodies = {ground, 2}, .axis = {0.0, 1.0}},
                   {.kind = turn, .bodies = {1, 0}, .point = {2.0 * l * c, 0.0}},
                   {.kind = turn, .bodies = {2, 0}, .point = {0.0, 2.0 * l * s}},
                   {.kind = turn, .bodies = {ground, 3}, .point = {0.0, 0.0}},
                   {.kind = turn, .bodies = {3, 0}, .point = {l * c, l * s}}};
    const auto load = add_load(made, random);
    const double m1 = made.bodies[1].mass, m2 = made.bodies[2].mass;
    const double constant = 1.2 * l * l + 0.1 + 0.03 + 0.4 * part * part * l * l;
    one.inertia = [=](double a) {
        const double x = std::sin(a), y = std::cos(a);
        return constant + 4.0 * l * l * (m1 * x * x + m2 * y * y);
    };
    one.slope = [=](double a) { return 4.0 * l * l * (m1 - m2) * std::sin(2.0 * a); };
    one.force = [=](double a, double t) {
        const Vector way{-l * std::sin(a), l * std::cos(a)};
        return dot(way, load(t)) - gravity * way[1] * (1.2 + 0.4 * part + 2.0 * m2);
    };
    one.centre = [=](double a) { return Vector{l * std::cos(a), l * std::sin(a)}; };
    return one;
}

void check_linkages(std::uint64_t seed, int count) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        CAPTURE(seed);
        CAPTURE(i);
        OneAngle one = i % 3 == 2 ? trammel(random) : cranks(random);
        one.made.gravity = {0.0, -gravity};
        one.made.end = 0.6;
        shuffle(one.made, random);
        const bool friction = random() % 4 == 0, resumed = random() % 2 == 0;
        const double speed = any(random, 0.2, 2.0), mu = any(random, 0.1, 0.6);
        const std::size_t block = friction ? add_block(one.made, speed, mu) : 0;
        const Sample last = last_sample(one.made, resumed);
        const Vector expected = one.centre(one.angle_at_end());
        // The accuracy of a step is 1e-8, and there are some tens.
        CHECK_ABSOLUTE(last.bodies[0].centre[0], expected[0], 1e-6);
        CHECK_ABSOLUTE(last.bodies[0].centre[1], expected[1], 1e-6);
        if (friction)
            CHECK_ABSOLUTE(last.bodies[block].centre[0],
                           place_of_block(speed, mu, gravity, one.made.end), 1e-6);
    }
}

}  // namespace

TEST_CASE("a coupler on three parallel cranks swings through all positions") {
    OneAngle one;
    one.made = three_cranks();
    one.start = std::numbers::pi / 3.0;
    one.inertia = [](double) { return 2.0 + 3.0 * 0.175; };
    one.slope = [](double) { return 0.0; };
    one.force = [](double a, double) { return -gravity * (2.0 + 3.0 * 0.25) * std::cos(a); };
    const double angle = one.angle_at_end();
    const Sample last = last_sample(one.made, true);
    CHECK_ABSOLUTE(last.bodies[1].angle, angle - one.start, 1e-6);
    CHECK_ABSOLUTE(last.bodies[0].angle, 0.0, 1e-9);
    const auto warnings = check_start(one.made);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("repeat 1 condition:") != std::string::npos);
    // No position is singular: one of the cranks is always out of line.
    CHECK(simulate(one.made).warnings.empty());
    // Whatever share each joint has: its forces move the coupler and each crank.
    const auto balances = [&](std::size_t body, const Vector& force, double moment) {
        CAPTURE(body);
        const Body& given = one.made.bodies[body];
        const BodyState& now = last.bodies[body];
        CHECK_ABSOLUTE(force[0], given.mass * now.acceleration[0], 1e-6);
        CHECK_ABSOLUTE(force[1], given.mass * (now.acceleration[1] + gravity), 1e-6);
        CHECK_ABSOLUTE(moment, given.inertia * now.angular_acceleration, 1e-6);
    };
    Vector on_coupler{};
    double moment_on_coupler = 0.0;
    for (std::size_t crank = 1; crank <= 3; ++crank) {
        const JointReaction &base = last.joints[2 * crank - 2], &tip = last.joints[2 * crank - 1];
        const BodyState& now = last.bodies[crank];
        const Vector arm = now.centre - one.made.joints[2 * crank - 2].point;
        on_coupler = on_coupler + tip.force;  // at twice the arm: the centre is in the middle
        moment_on_coupler += cross(now.centre + arm - last.bodies[0].centre, tip.force);
        balances(crank, base.force - tip.force, cross(-arm, base.force) - cross(arm, tip.force));
    }
    balances(0, on_coupler, moment_on_coupler);
}

TEST_CASE("eighty couplers on three cranks swing like one") {
    Mechanism one = three_cranks(), many = linkages(80, 3);
    one.end = many.end = 0.1;
    const Sample expected = last_sample(one, false), last = last_sample(many, false);
    double worst = 0.0;
    for (std::size_t b = 0; b < many.bodies.size(); b += 4) {
        const Vector moved = last.bodies[b].centre - many.bodies[b].centre;
        worst = std::max(worst, length(moved - (expected.bodies[0].centre - one.bodies[0].centre)));
    }
    CHECK(worst < 1e-7);  // the accuracy of a step is 1e-8, and there are five
}

TEST_CASE(
    "a motor on one of three parallel cranks turns them all, and its power is that of one angle") {
    constexpr double speed = 8.0, angle = std::numbers::pi / 3.0;
    Mechanism made = three_cranks();
    made.joints[0].motor = Motor{.times = {0.0}, .speeds = {speed}, .mean_speeds = {}};
    made.interval = 0.01;
    double worst = 0.0, worst_turn = 0.0;
    simulate(made, [&](const Sample& now) {
        // Work against gravity alone: the speed is constant. Weight times height, arm by arm.
        const double height = std::sin(angle + speed * now.time) - std::sin(angle);
        const double work = gravity * (2.0 + 3.0 * 0.25) * height;
        worst = std::max(worst, std::abs(now.ledger.external_work - work));
        for (const std::size_t crank : {1, 2, 3})
            worst_turn = std::max(worst_turn, std::abs(now.bodies[crank].angle - speed * now.time));
        worst_turn = std::max(worst_turn, std::abs(now.bodies[0].angle));
    });
    // The accuracy of a step is 1e-8 of the largest energy, 117 J, and there are thirty.
    CHECK(worst < 117.0 * 1e-6);
    CHECK(worst_turn < 1e-7);  // that of some ten steps
}

TEST_CASE("three cranks that are not parallel are a structure that bears its weight") {
    // The base of the second crank is out of place by a tenth and by a thousandth of a metre.
    for (const double off : {0.1, 0.001}) {
        CAPTURE(off);
        Mechanism made = three_cranks();
        made.joints[2].point[0] += off;
        const auto warnings = check_start(made);
        REQUIRE(warnings.size() == 1);
        CHECK(warnings[0].find("rigid structure") != std::string::npos);
        const Result result = simulate(made);
        // It took eight thousand steps to follow its rounding, and with the smaller one no end.
        CHECK(result.steps < 100);
        // The rounding of forces that grow as 1 / off, twice.
        for (const BodyState& body : result.last.bodies)
            CHECK(std::abs(body.angle) < 1e-8);
        Vector sum{};
        for (std::size_t j = 0; j < made.joints.size(); j += 2)
            sum = sum + result.last.joints[j].force;
        CHECK_ABSOLUTE(sum[0], 0.0, 1e-6);
        CHECK_ABSOLUTE(sum[1], 3.5 * gravity, 1e-6);
    }
}

TEST_CASE("cranks that fit to some digits lock, in words of the program") {
    // Parallel to 1e-7: other conditions at once. To 4e-9: they move until the joints part.
    for (const double off : {1e-7, 4e-9}) {
        CAPTURE(off);
        Mechanism made = three_cranks();
        made.joints[2].point[0] += off;
        std::string text = "no error";
        try {
            simulate(made);
        } catch (const std::runtime_error& error) {
            text = error.what();
        }
        CAPTURE(text);
        CHECK(text.find("the mechanism locks at") == 0);
        CHECK((text.find("Give their points with all digits") != std::string::npos) ==
              (off < 1e-8));
        CHECK(text.find("SimTK") == std::string::npos);
    }
}

TEST_CASE("random redundant linkages move as one angle: 1") {
    check_linkages(1, 25);
}
TEST_CASE("random redundant linkages move as one angle: 2") {
    check_linkages(2, 25);
}
TEST_CASE("random redundant linkages move as one angle: 3") {
    check_linkages(3, 25);
}
TEST_CASE("random redundant linkages move as one angle: 4") {
    check_linkages(4, 25);
}

}  // namespace beadwave::validation::mechanism_redundant_test
