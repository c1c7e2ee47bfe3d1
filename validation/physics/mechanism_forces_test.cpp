// Forces, torques, springs, dampers and prescribed displacements of mechanisms against closed
// forms, and the reactions of joints.
#include "largest.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation::mechanism_forces_test {
namespace {

using namespace mechanism;

constexpr double pi = std::numbers::pi;

/// A body of `mass` that slides along x.
Mechanism on_rail(double mass, double speed, double end) {
    Mechanism made;
    made.bodies = {{.name = "block", .mass = mass, .inertia = 1.0, .velocity = Vector{speed, 0.0}}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 0}, .axis = {1.0, 0.0}}};
    made.accuracy = 1e-11;
    made.end = end;
    return made;
}

Spring spring_to_wall(double stiffness, double damping = 0.0) {
    return {.name = "spring",
            .bodies = {ground, 0},
            .points = {Vector{-1.0, 0.0}, Vector{0.0, 0.0}},
            .stiffness = stiffness,
            .damping = damping};
}

/// The largest of mass times acceleration minus all forces that act on a body, over the largest of
/// these forces, and the same for torques.
double newton_error(const Mechanism& mechanism, const Sample& sample) {
    std::vector<Load> loads(mechanism.bodies.size());
    const auto add = [&](std::size_t body, const Vector& force, const Vector& at) {
        if (body != ground) loads[body].add(force, at, sample.bodies[body].centre);
    };
    const auto place = [&](std::size_t body, const Vector& point) {
        return body == ground ? point
                              : sample.bodies[body].at(point - mechanism.bodies[body].centre);
    };
    for (std::size_t i = 0; i < loads.size(); ++i)
        add(i, mechanism.bodies[i].mass * mechanism.gravity, sample.bodies[i].centre);
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
        const auto [first, second] = mechanism.joints[j].bodies;
        const JointReaction& reaction = sample.joints[j];
        const Vector at = mechanism.joints[j].kind == JointKind::revolute
                              ? place(second, mechanism.joints[j].point)
                              : sample.bodies[second].centre;
        add(second, reaction.force, at);
        add(first, -reaction.force, at);
        loads[second].torque += reaction.torque;
        if (first != ground) loads[first].torque -= reaction.torque;
    }
    for (std::size_t k = 0; k < mechanism.springs.size(); ++k) {
        const Spring& spring = mechanism.springs[k];
        const Vector a = place(spring.bodies[0], spring.points[0]);
        const Vector b = place(spring.bodies[1], spring.points[1]);
        const Vector pull = sample.springs[k].force * unit_vector(b - a);
        add(spring.bodies[0], pull, a);
        add(spring.bodies[1], -pull, b);
    }
    Largest error, largest;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const Body& body = mechanism.bodies[i];
        largest.enter(length(loads[i].force), std::abs(loads[i].torque));
        error.enter(
            length(body.mass * sample.bodies[i].acceleration - loads[i].force),
            std::abs(body.inertia * sample.bodies[i].angular_acceleration - loads[i].torque));
    }
    for (const JointReaction& reaction : sample.joints)
        largest.enter(length(reaction.force));
    return error / largest;
}

TEST_CASE("a spring and a damper: the damped oscillation, and the energy that the damper takes") {
    Mechanism made = on_rail(2.0, 3.0, 5.0);
    made.springs = {spring_to_wall(50.0, 0.8)};
    const Result result = simulate(made);
    const double decay = 0.8 / 4.0, omega = std::sqrt(25.0 - decay * decay);
    const double fall = std::exp(-decay * 5.0);
    const double x = 3.0 / omega * fall * std::sin(omega * 5.0);
    const double v = 3.0 * fall * (std::cos(omega * 5.0) - decay / omega * std::sin(omega * 5.0));
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], x, 1e-9);
    CHECK_ABSOLUTE(result.last.bodies[0].velocity[0], v, 5e-9);
    CHECK_ABSOLUTE(result.last.springs[0].extension, x, 1e-9);
    CHECK_RELATIVE(result.last.springs[0].force, 50.0 * x + 0.8 * v, 1e-8);
    CHECK_RELATIVE(result.last.ledger.damper_dissipation, 9.0 - v * v - 25.0 * x * x, 1e-9);
    CHECK(result.largest_relative_energy_error < 1e-10);
}

TEST_CASE("a force that oscillates: the response from rest, and its work") {
    Mechanism made = on_rail(2.0, 0.0, 4.0);
    made.springs = {spring_to_wall(50.0)};
    made.forces = {{.body = 0,
                    .times = {0.0},
                    .forces = {Vector{7.0, 0.0}},
                    .oscillation = {.frequency = 0.5}}};
    const Result result = simulate(made);
    const double own = 5.0, omega = pi;
    const double x = 3.5 / (own * own - omega * omega) *
                     (std::sin(omega * 4.0) - omega / own * std::sin(own * 4.0));
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], x, 1e-9);
    CHECK(result.last.ledger.external_work > 0.0);
    CHECK(result.largest_relative_energy_error < 1e-10);
}

TEST_CASE("a force over time: steps end where its slope jumps") {
    Mechanism made = on_rail(2.0, 0.0, 3.0);
    made.forces = {{.body = 0,
                    .times = {0.5, 1.0, 2.0},
                    .forces = {Vector{0.0, 5.0}, Vector{4.0, 5.0}, Vector{-2.0, 5.0}}}};
    const Result result = simulate(made);
    // Impulses of the ramps and of the constant end: 1 + 1 - 2.
    CHECK_ABSOLUTE(result.last.bodies[0].velocity[0], 0.0, 1e-13);
    // The integral of (3 s - t) force / m over the three parts, by hand.
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], (13.0 / 6.0 + 2.0 - 1.0) / 2.0, 1e-12);
}

TEST_CASE("a force that turns with its body, and a torque, against the rotation of a wheel") {
    Mechanism made;
    made.bodies = {{.name = "wheel", .mass = 1.0, .inertia = 0.5}};
    made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}}};
    made.forces = {{.body = 0,
                    .point = {0.2, 0.0},
                    .turns_with_body = true,
                    .times = {0.0},
                    .forces = {Vector{0.0, 10.0}}}};
    made.torques = {{.bodies = {ground, 0}, .times = {0.0, 1.0}, .torques = {0.0, -1.0}}};
    made.accuracy = 1e-12;
    made.end = 1.0;
    const Result result = simulate(made);
    // 2 N m, and a ramp to -1 N m, on 0.5 kg m^2.
    CHECK_ABSOLUTE(result.last.bodies[0].angular_velocity, 4.0 - 1.0, 1e-12);
    CHECK_ABSOLUTE(result.last.bodies[0].angle, 2.0 - 1.0 / 3.0, 1e-12);
    CHECK_RELATIVE(result.last.ledger.external_work, 0.25 * 9.0, 1e-11);
}

TEST_CASE("a torsion spring between two bodies: their relative rotation oscillates") {
    Mechanism made;
    made.bodies = {{.name = "a", .mass = 1.0, .inertia = 0.2},
                   {.name = "b", .mass = 1.0, .inertia = 0.3, .centre = {1.0, 0.0}}};
    made.bodies[1].angular_velocity = 2.0;
    made.torsion_springs = {{.name = "t", .bodies = {0, 1}, .stiffness = 4.0, .free_angle = 0.5}};
    made.accuracy = 1e-11;
    made.end = 2.0;
    const Result result = simulate(made);
    const double omega = std::sqrt(4.0 / (0.2 * 0.3 / 0.5));
    const double relative = 0.5 - 0.5 * std::cos(omega * 2.0) + 2.0 / omega * std::sin(omega * 2.0);
    CHECK_ABSOLUTE(result.last.bodies[1].angle - result.last.bodies[0].angle, relative, 1e-8);
    CHECK_ABSOLUTE(
        0.2 * result.last.bodies[0].angular_velocity + 0.3 * result.last.bodies[1].angular_velocity,
        0.6, 1e-12);
    CHECK(result.largest_relative_energy_error < 1e-10);
}

TEST_CASE("two bodies on a spring in free flight keep momentum, angular momentum and energy") {
    Mechanism made;
    made.bodies = {{.name = "a", .mass = 1.0, .inertia = 0.1, .velocity = Vector{0.3, -1.0}},
                   {.name = "b",
                    .mass = 2.0,
                    .inertia = 0.2,
                    .centre = {1.0, 0.2},
                    .velocity = Vector{0.0, 1.5}}};
    made.springs = {{.name = "s",
                     .bodies = {0, 1},
                     .points = {Vector{0.1, 0.1}, Vector{0.9, 0.0}},
                     .free_length = 0.5,
                     .stiffness = 300.0}};
    made.accuracy = 1e-11;
    made.end = 3.0;
    const auto momenta = [&](const Sample& sample) {
        std::array<double, 3> sum{};
        for (std::size_t i = 0; i < 2; ++i) {
            const BodyState& b = sample.bodies[i];
            sum[0] += made.bodies[i].mass * b.velocity[0];
            sum[1] += made.bodies[i].mass * b.velocity[1];
            sum[2] += made.bodies[i].mass * cross(b.centre, b.velocity) +
                      made.bodies[i].inertia * b.angular_velocity;
        }
        return sum;
    };
    std::vector<std::array<double, 3>> all;
    made.interval = 0.1;
    const Result result = simulate(made, [&](const Sample& s) { all.push_back(momenta(s)); });
    CHECK(all.size() == 31);
    for (const auto& now : all) {
        for (std::size_t k = 0; k < 3; ++k)
            CHECK_ABSOLUTE(now[k], all[0][k], 1e-9);
    }
    CHECK(result.largest_relative_energy_error < 1e-9);
}

TEST_CASE("a tabulated spring of two stiffnesses: half a period of each") {
    Mechanism made = on_rail(2.0, 3.0, pi * (std::sqrt(2.0 / 50.0) + std::sqrt(2.0 / 200.0)));
    made.springs = {spring_to_wall(0.0)};
    made.springs[0].extensions = {-1.0, 0.0, 1.0};
    made.springs[0].forces = {-200.0, 0.0, 50.0};
    const Result result = simulate(made);
    // Where the slope jumps, a step is found by its error alone.
    CHECK_ABSOLUTE(result.last.bodies[0].centre[0], 0.0, 1e-8);
    CHECK_ABSOLUTE(result.last.bodies[0].velocity[0], 3.0, 1e-8);
    CHECK(result.largest_relative_energy_error < 1e-9);
}

TEST_CASE("a stop pushes alone, and a rope pulls alone") {
    for (const auto& [acts, sign] :
         {std::pair{Spring::Acts::compression, -1.0}, std::pair{Spring::Acts::tension, 1.0}}) {
        // It meets the spring after 0.5 s, leaves it after half a period, and flies on for 1 s.
        Mechanism made = on_rail(2.0, 3.0 * sign, 1.5 + pi / 5.0);
        made.springs = {spring_to_wall(50.0)};
        made.springs[0].free_length = 1.0 + 1.5 * sign;
        if (sign < 0.0) made.springs[0].points[0] = {-3.0, 0.0};
        if (sign < 0.0) made.springs[0].free_length = 1.5;
        made.springs[0].acts = acts;
        const Result result = simulate(made);
        CHECK_ABSOLUTE(result.last.bodies[0].centre[0], sign * (1.5 - 3.0), 1e-7);
        CHECK_ABSOLUTE(result.last.bodies[0].velocity[0], -3.0 * sign, 1e-7);
        CHECK(result.last.springs[0].force == 0.0);
    }
}

TEST_CASE("a prescribed displacement is followed, and its work is the kinetic energy") {
    Mechanism made = on_rail(2.0, 0.0, 1.0);
    made.bodies[0].velocity.reset();
    // A cubic in each interval: these speeds are those of x = 5 t^2 - 2 t^3.
    Motor motor;
    for (const double t : {0.0, 0.3, 0.7, 1.0}) {
        motor.times.push_back(t);
        motor.speeds.push_back(10.0 * t - 6.0 * t * t);
    }
    const auto place = [](double t) { return t * t * (5.0 - 2.0 * t); };
    for (std::size_t i = 1; i < 4; ++i) {
        const double a = motor.times[i - 1], b = motor.times[i];
        motor.mean_speeds.push_back((place(b) - place(a)) / (b - a));
    }
    made.joints[0].motor = motor;
    made.interval = 0.1;
    const Result result = simulate(made, [&](const Sample& s) {
        CHECK_ABSOLUTE(s.bodies[0].centre[0], place(s.time), 1e-12);
        CHECK_ABSOLUTE(s.joints[0].force[0], 2.0 * (10.0 - 12.0 * s.time), 1e-10);
    });
    CHECK_RELATIVE(result.last.ledger.external_work, 16.0, 1e-11);
}

TEST_CASE("reactions of a slider-crank, in closed form") {
    const double r = 0.1, l = 0.35, speed = 20.0, start = 0.4;
    const double beta = std::asin(r / l * std::sin(start));
    const Vector pin{r * std::cos(start), r * std::sin(start)};
    const Vector wrist{pin[0] + l * std::cos(beta), 0.0};
    Mechanism made;
    made.bodies = {{.name = "crank", .mass = 0.5, .inertia = 0.002, .centre = 0.5 * pin},
                   {.name = "rod", .mass = 0.7, .inertia = 0.01, .centre = 0.5 * (pin + wrist)},
                   {.name = "slider", .mass = 1.3, .inertia = 0.01, .centre = wrist}};
    made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}, .motor = Motor{{0.0}, {speed}}},
                   {.bodies = {0, 1}, .point = pin},
                   {.bodies = {2, 1}, .point = wrist},
                   {.kind = JointKind::slider, .bodies = {ground, 2}, .axis = {1.0, 0.0}}};
    made.gravity = {0.0, -9.81};
    made.accuracy = 1e-12;
    made.end = 0.3;
    made.interval = 0.01;
    made.springs = {{.name = "s",
                     .bodies = {ground, 1},
                     .points = {Vector{0.0, 0.5}, made.bodies[1].centre},
                     .free_length = 0.3,
                     .stiffness = 100.0,
                     .damping = 2.0}};
    std::size_t samples = 0;
    simulate(made, [&](const Sample& s) {
        ++samples;
        CHECK(newton_error(made, s) < 1e-10);
        // The slider: x'' of r cos a + l cos b, with sin b = r / l sin a.
        const double a = start + speed * s.time;
        const double sine = r / l * std::sin(a), cosine = std::sqrt(1.0 - sine * sine);
        const double b1 = r / l * std::cos(a) * speed / cosine;
        const double b2 = (-r / l * std::sin(a) * speed * speed + sine * b1 * b1) / cosine;
        const double x2 = -r * std::cos(a) * speed * speed - l * (cosine * b1 * b1 + sine * b2);
        // Along the rail nothing but the rod acts on the slider; joint 2 gives it the opposite.
        CHECK_RELATIVE(s.joints[2].force[0], -1.3 * x2, 1e-9);
        // A slider passes no force along its axis.
        CHECK_ABSOLUTE(s.joints[3].force[0], 0.0, 1e-8);
    });
    CHECK(samples == 31);
}

TEST_CASE("reactions hold where a loop closes between two moving bodies, and at a reversed joint") {
    Mechanism made;
    made.gravity = {0.0, -9.81};
    made.bodies = {{.name = "a", .mass = 1.0, .inertia = 0.1, .centre = {0.0, 0.5}},
                   {.name = "b", .mass = 2.0, .inertia = 0.2, .centre = {0.5, 1.1}},
                   {.name = "c", .mass = 1.5, .inertia = 0.1, .centre = {1.0, 0.5}},
                   {.name = "d", .mass = 0.5, .inertia = 0.05, .centre = {0.6, 1.3}},
                   {.name = "e", .mass = 0.4, .inertia = 0.02, .centre = {1.4, 1.7}}};
    made.joints = {{.bodies = {0, ground}, .point = {0.0, 0.0}},  // reversed
                   {.bodies = {0, 1}, .point = {0.0, 1.0}},
                   {.bodies = {1, 2}, .point = {1.0, 1.2}},
                   {.bodies = {2, ground}, .point = {1.0, 0.0}},
                   {.kind = JointKind::slider, .bodies = {3, 1}, .axis = {1.0, 0.5}},
                   {.bodies = {3, 4}, .point = {1.2, 1.6}},
                   {.kind = JointKind::slider, .bodies = {4, 2}, .axis = {0.3, 1.0}}};
    made.accuracy = 1e-11;
    made.end = 0.2;
    made.interval = 0.02;
    std::size_t samples = 0;
    simulate(made, [&](const Sample& s) {
        ++samples;
        std::vector<Load> loads(5);
        Largest largest;
        for (std::size_t j = 0; j < made.joints.size(); ++j) {
            const auto [first, second] = made.joints[j].bodies;
            const bool turns = made.joints[j].kind == JointKind::revolute;
            const std::size_t moving = second == ground ? first : second;
            const Vector at =
                turns ? s.bodies[moving].at(made.joints[j].point - made.bodies[moving].centre)
                      : s.bodies[second].centre;
            const JointReaction& r = s.joints[j];
            largest.enter(length(r.force));
            if (second != ground) loads[second].add(r.force, at, s.bodies[second].centre);
            if (second != ground) loads[second].torque += r.torque;
            if (first != ground) loads[first].add(-r.force, at, s.bodies[first].centre);
            if (first != ground) loads[first].torque -= r.torque;
        }
        for (std::size_t i = 0; i < 5; ++i) {
            const Body& body = made.bodies[i];
            const Vector net = loads[i].force + body.mass * made.gravity;
            CHECK(length(body.mass * s.bodies[i].acceleration - net) < 1e-9 * largest);
            CHECK_ABSOLUTE(loads[i].torque, body.inertia * s.bodies[i].angular_acceleration,
                           1e-9 * largest);
        }
    });
    CHECK(samples == 11);
}

}  // namespace
}  // namespace beadwave::validation::mechanism_forces_test
