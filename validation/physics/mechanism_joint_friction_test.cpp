// Coulomb friction in joints without clearance, against closed forms and an integration of its own.
#include "beadwave/argument_error.hpp"
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation::mechanism_joint_friction_test {
namespace {

using namespace mechanism;

constexpr double g = 9.81;

Mechanism slider(double slope, double coefficient) {
    Mechanism made;
    made.bodies = {{.name = "block", .mass = 2.0, .inertia = 0.1, .centre = {0.0, 0.0}}};
    made.joints = {{.kind = JointKind::slider,
                    .bodies = {ground, 0},
                    .axis = {std::cos(slope), std::sin(slope)},
                    .friction = JointFriction{.coefficient = coefficient, .length = 0.5}}};
    made.gravity = {0.0, -g};
    made.accuracy = 1e-10;
    made.end = 1.0;
    made.interval = 0.05;
    return made;
}

TEST_CASE("a block in a guide on a slope stays, or slides at g (sin a - mu cos a)") {
    const double slope = 0.2;
    double force = 0.0;
    Largest farthest;
    simulate(slider(slope, 0.3), [&](const Sample& now) {
        farthest.enter(length(now.bodies[0].centre));
        force = now.joint_frictions[0].force;
    });
    CHECK(farthest < 1e-14);
    CHECK_RELATIVE(force, 2.0 * g * std::sin(slope), 1e-12);

    const double down = g * (std::sin(slope) - 0.1 * std::cos(slope));
    simulate(slider(slope, 0.1), [&](const Sample& now) {
        const double t = now.time;
        CHECK_ABSOLUTE(length(now.bodies[0].centre), 0.5 * down * t * t, 1e-12);
        CHECK_ABSOLUTE(now.ledger.friction_dissipation,
                       0.1 * 2.0 * g * std::cos(slope) * 0.5 * down * t * t, 1e-11);
        CHECK(std::abs(now.ledger.relative_energy_error) < 1e-11);
    });
}

TEST_CASE("a mass on a spring with friction in its guide loses 2 mu m g / k in every half swing") {
    // x'' = -w^2 x -+ mu g: half swings about -+ mu g / w^2, until the spring cannot move it.
    Mechanism made = slider(0.0, 0.05);
    const double k = 200.0, m = 2.0, start = 0.0437, dead = 0.05 * m * g / k;
    made.bodies[0].velocity = {{0.0, 0.0}};
    made.springs = {{.name = "spring",
                     .bodies = {ground, 0},
                     .points = {{{-1.0, 0.0}, {0.0, 0.0}}},
                     .free_length = 1.0 - start,
                     .stiffness = k}};
    made.end = 4.0;
    made.interval = 0.01;
    const double w = std::sqrt(k / m), half = std::numbers::pi / w;
    const auto place = [&](double time) {
        double from = start;
        for (int swing = 0;; ++swing) {
            if (std::abs(from) <= dead) return from;  // it sticks
            const double middle = std::copysign(dead, from), in = time - swing * half;
            if (in < half) return middle + (from - middle) * std::cos(w * in);
            from = 2.0 * middle - from;
        }
    };
    double last = 0.0;
    Largest worst;
    simulate(made, [&](const Sample& now) {
        last = now.bodies[0].centre[0] + start;
        worst.enter(std::abs(last - place(now.time)));
        CHECK(std::abs(now.ledger.relative_energy_error) < 1e-10);
    });
    CHECK(worst < 1e-10);
    CHECK(std::abs(last) <= dead);
    CHECK(place(4.0) != start);
}

/// A pendulum on a pin: theta'' from the reaction that it causes, solved by repetition.
struct Pendulum {
    double m = 1.3, l = 0.4, inertia = 0.05, mu_r = 0.012;  // [kg], [m], about the centre, [m]

    double friction(double angle, double rate, double sign) const {
        double torque = 0.0;
        for (int pass = 0; pass < 200; ++pass) {
            const double second = (-m * g * l * std::sin(angle) + torque) / (inertia + m * l * l);
            // The centre at l (sin, -cos): its acceleration plus g upwards, along and across.
            const double across = l * second + g * std::sin(angle);
            const double along = l * rate * rate + g * std::cos(angle);
            torque = -sign * mu_r * m * std::hypot(across, along);
        }
        return torque;
    }
    double acceleration(double angle, double rate, double sign) const {
        return (-m * g * l * std::sin(angle) + friction(angle, rate, sign)) / (inertia + m * l * l);
    }
    Mechanism mechanism(double angle) const {
        Mechanism made;
        made.bodies = {{.name = "rod",
                        .mass = m,
                        .inertia = inertia,
                        .centre = {l * std::sin(angle), -l * std::cos(angle)}}};
        made.joints = {{.kind = JointKind::revolute,
                        .bodies = {0, ground},
                        .point = {0.0, 0.0},
                        .friction = JointFriction{.coefficient = 0.6, .radius = mu_r / 0.6}}};
        made.gravity = {0.0, -g};
        made.accuracy = 1e-11;
        return made;
    }
};

TEST_CASE("a pendulum with friction in its pin swings, and stops, as an integration of its own") {
    const Pendulum pendulum;
    const double first = 0.3;
    double angle = first, rate = 0.0, time = 0.0;
    std::vector<std::array<double, 2>> turns;  // time and angle
    double sign = -1.0;
    const double limit = pendulum.mu_r / pendulum.l;  // of sin(angle) at rest
    while (turns.empty() || std::abs(std::sin(turns.back()[1])) > limit) {
        // Runge-Kutta's steps; the last one to the place where the rate is zero.
        const double h = 1e-4;
        const auto step = [&](double by) {
            std::array<double, 2> a{angle, rate};
            const auto f = [&](const std::array<double, 2>& s) {
                return std::array{s[1], pendulum.acceleration(s[0], s[1], sign)};
            };
            const auto plus = [](const std::array<double, 2>& s, double c,
                                 const std::array<double, 2>& d) {
                return std::array{s[0] + c * d[0], s[1] + c * d[1]};
            };
            const auto k1 = f(a), k2 = f(plus(a, by / 2, k1)), k3 = f(plus(a, by / 2, k2)),
                       k4 = f(plus(a, by, k3));
            for (std::size_t i = 0; i < 2; ++i)
                a[i] += by / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            return a;
        };
        const auto next = step(h);
        if (next[1] * sign >= 0.0) {
            angle = next[0], rate = next[1], time += h;
            continue;
        }
        double low = 0.0, high = h;
        for (int halving = 0; halving < 60; ++halving) {
            const double middle = 0.5 * (low + high);
            (step(middle)[1] * sign >= 0.0 ? low : high) = middle;
        }
        angle = step(high)[0], rate = 0.0, time += high, sign = -sign;
        turns.push_back({time, angle});
    }
    REQUIRE(turns.size() >= 3);

    Mechanism made = pendulum.mechanism(first);
    made.end = time + 0.5;
    made.interval = 1e-3;
    double last = 0.0, held = 0.0;
    Largest worst_error;
    std::vector<std::array<double, 2>> seen;
    double before = 0.0;
    simulate(made, [&](const Sample& now) {
        last = now.bodies[0].angle + first;
        const double speed = now.bodies[0].angular_velocity;
        if (before * speed < 0.0 || (before != 0.0 && speed == 0.0))
            seen.push_back({now.time, last});
        before = speed;
        worst_error.enter(std::abs(now.ledger.relative_energy_error));
        held = now.joint_frictions[0].force;
    });
    REQUIRE(seen.size() == turns.size());
    for (std::size_t i = 0; i < turns.size(); ++i) {
        CAPTURE(i);
        CHECK(seen[i][0] >= turns[i][0]);
        CHECK(seen[i][0] <= turns[i][0] + made.interval);
    }
    CHECK_ABSOLUTE(last, turns.back()[1], 1e-9);
    CHECK(worst_error < 1e-9);
    // It holds the weight: of the second body, the ground, on which it acts the other way round.
    CHECK_RELATIVE(held, -pendulum.m * g * pendulum.l * std::sin(last), 1e-9);
}

TEST_CASE("a drawer that is pulled beside its middle jams where mu is above half of length / arm") {
    for (const double arm : {0.2, 0.3}) {
        CAPTURE(arm);
        Mechanism made = slider(0.0, 1.0);  // length / (2 arm) is 1.25, and 0.83
        made.gravity = {};
        made.forces = {{.body = 0, .point = {0.0, arm}, .times = {0.0}, .forces = {{50.0, 0.0}}}};
        double moved = 0.0;
        simulate(made, [&](const Sample& now) { moved = now.bodies[0].centre[0]; });
        if (arm == 0.3)
            CHECK(moved == 0.0);
        else  // m a = F - mu 2 F arm / length
            CHECK_RELATIVE(moved, 0.5 * (50.0 - 2.0 * 50.0 * arm / 0.5) / 2.0, 1e-10);
    }
}

TEST_CASE("a drawer that is pushed across its motion stops") {
    Mechanism made = slider(0.0, 1.0);
    made.gravity = {};
    made.bodies[0].velocity = {{1.0, 0.0}};
    made.forces = {{.body = 0, .point = {0.3, 0.0}, .times = {0.0}, .forces = {{0.0, 10.0}}}};
    // mu F = 10 N across, mu 2 F arm / length = 12 N at the ends: it decelerates by 6 m/s^2.
    double last = 1.0, place = 0.0;
    simulate(made, [&](const Sample& now) {
        last = now.bodies[0].velocity[0];
        place = now.bodies[0].centre[0];
    });
    CHECK(last == 0.0);
    CHECK_RELATIVE(place, 0.5 / 6.0, 1e-9);
}

/// Two blocks in guides at a right angle, at the ends of a rod without mass: x = l cos(a) of the
/// first, y = l sin(a) of the second. `down`: the second moves down and pushes the first.
Mechanism trammel(double heavy, bool down) {
    const double a = std::numbers::pi / 3.0, x = std::cos(a), y = std::sin(a);
    const double turning = down ? -0.01 : 0.01;
    const JointFriction rough{.coefficient = 1.0, .length = 0.5};
    Mechanism made;
    made.bodies = {{.name = "rod", .mass = 1e-9, .inertia = 1e-10, .centre = {0.5 * x, 0.5 * y}},
                   {.name = "across", .mass = 1.0, .inertia = 0.1, .centre = {x, 0.0}},
                   {.name = "upright", .mass = heavy, .inertia = 0.1, .centre = {0.0, y}}};
    made.bodies[0].velocity = {{-0.5 * y * turning, 0.5 * x * turning}};
    made.bodies[0].angular_velocity = -turning;
    made.bodies[1].velocity = {{-y * turning, 0.0}};
    made.bodies[2].velocity = {{0.0, x * turning}};
    const auto guide = [&](std::size_t body, Vector axis) {
        made.joints.push_back({.kind = JointKind::slider, .bodies = {ground, body}, .axis = axis});
        made.joints.back().friction = rough;
    };
    const auto pin = [&](std::size_t body, Vector point) {
        made.joints.push_back({.kind = JointKind::revolute, .bodies = {0, body}, .point = point});
    };
    guide(1, {1.0, 0.0});
    guide(2, {0.0, 1.0});
    pin(1, {x, 0.0});
    pin(2, {0.0, y});
    made.gravity = {0.0, -g};
    made.accuracy = 1e-9;
    made.end = 1e-4;
    return made;
}

TEST_CASE("two rough blocks on a rod: accelerations of the closed form, or the joint that jams") {
    // F is the force that pushes the rod together, s = 1 as the second block moves down, else -1.
    // m1 x'' = F (cos a - s mu sin a) - s mu m1 g: weight presses the first block on its guide,
    // m2 y'' = F (sin a + s mu cos a) - m2 g, and cos a x'' + sin a y'' = -l (turning rate)^2.
    const double c = 0.5, s = std::sqrt(0.75), mu = 1.0, rate = 0.01;
    for (const bool down : {true, false}) {
        for (const double heavy : {0.3, 2.0}) {
            CAPTURE(down);
            CAPTURE(heavy);
            const double way = down ? 1.0 : -1.0;
            // The first block's guide carries its weight and the rod's push: both downwards.
            const double along = c - way * mu * s, up = s + way * mu * c;
            const double push =
                (-rate * rate + way * mu * g * c + g * s) / (c * along + s * up / heavy);
            REQUIRE(push > 0.0);
            double first = 0.0, second = 0.0;
            simulate(trammel(heavy, down), [&](const Sample& now) {
                if (now.time > 0.0) return;
                first = now.bodies[1].acceleration[0];
                second = now.bodies[2].acceleration[1];
            });
            // The rod has a billionth of the mass; these sums are small beside the push.
            CHECK_RELATIVE(first, push * along - way * mu * g, 1e-6);
            CHECK_RELATIVE(second, push * up / heavy - g, 1e-6);
        }
    }
    const auto message = [](const Mechanism& made) {
        try {
            simulate(made, [](const Sample&) {});
            return std::string("none");
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
    };
    // c (c - s) + s (s + c) / 20 is negative: the push would have to grow without end.
    const std::string said = message(trammel(20.0, true));
    CAPTURE(said);
    CHECK(said.starts_with("joint 0 jams at 0 s"));
    CHECK(message(trammel(20.0, false)) == "none");
}

TEST_CASE(
    "a four-bar linkage held by four pins moves from the torque that a virtual motion needs") {
    // A parallelogram that stands upright, loaded by weights at the coupler: in equilibrium.
    // The reactions at rest follow from symmetry: each crank carries half of the coupler.
    const double mu = 0.2, radius = 0.02, length = 0.5, coupler = 8.0, crank = 1e-6;
    const auto made_with = [&](double torque) {
        Mechanism made;
        made.bodies = {
            {.name = "a", .mass = crank, .inertia = 1e-8, .centre = {0.0, -0.5 * length}},
            {.name = "b", .mass = crank, .inertia = 1e-8, .centre = {1.0, -0.5 * length}},
            {.name = "coupler", .mass = coupler, .inertia = 1.0, .centre = {0.5, -length}}};
        const JointFriction pin{.coefficient = mu, .radius = radius};
        const auto joint = [&](std::size_t first, std::size_t second, Vector point) {
            return Joint{.kind = JointKind::revolute,
                         .bodies = {first, second},
                         .point = point,
                         .friction = pin};
        };
        made.joints = {joint(ground, 0, {0.0, 0.0}), joint(ground, 1, {1.0, 0.0}),
                       joint(0, 2, {0.0, -length}), joint(1, 2, {1.0, -length})};
        // Equal torques: the coupler stays free of force along its length.
        made.torques = {{.bodies = {ground, 0}, .times = {0.0}, .torques = {0.5 * torque}},
                        {.bodies = {ground, 1}, .times = {0.0}, .torques = {0.5 * torque}}};
        made.gravity = {0.0, -g};
        made.accuracy = 1e-9;
        made.end = 0.05;
        return made;
    };
    // Two pins per crank, each with a limit of mu r F. At the limit the lower pin turns the crank
    // by a horizontal force H too, so F is above half of the weight by H^2: second order in mu r/l.
    const double weight = 0.5 * coupler * g, limit = 4.0 * mu * radius * weight;
    const double shift = std::pow(2.0 * mu * radius / length, 2);
    const auto angle_after = [&](double torque) {
        return std::abs(simulate(made_with(torque)).last.bodies[0].angle);
    };
    CHECK(angle_after(limit * (1.0 - shift)) < 1e-12);  // where the loop closes, to rounding
    const double angle = 0.5 * limit * shift / (coupler * length * length) * 0.05 * 0.05;
    CHECK(angle_after(limit * (1.0 + shift)) == doctest::Approx(angle).epsilon(0.02));
}

TEST_CASE("friction in joints: what cannot be is refused") {
    const auto refused = [](Mechanism made) {
        try {
            check(made);
            return std::string("accepted");
        } catch (const PartError& error) {
            return error.key();
        }
    };
    Mechanism made = slider(0.0, 0.3);
    made.joints[0].friction->length = 0.0;
    CHECK(refused(made) == "joint.0.friction.length");
    made = slider(0.0, -0.3);
    CHECK(refused(made) == "joint.0.friction");
    made = slider(0.0, 0.3);
    made.joints[0].motor = Motor{.times = {0.0}, .speeds = {1.0}};
    CHECK(refused(made) == "joint.0.friction");
    made = slider(0.0, 0.3);
    made.contacts = {{.name = "stop",
                      .bodies = {0, ground},
                      .geometry = PointLine{.point = {0.1, 0.0},
                                            .line_point = {0.5, 0.0},
                                            .normal = {-1.0, 0.0},
                                            .radius = 0.01},
                      .law = Impulse{.restitution = 0.5}}};
    CHECK(refused(made) == "contact.0.law");
}

}  // namespace
}  // namespace beadwave::validation::mechanism_joint_friction_test
