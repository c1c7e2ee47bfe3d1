// What each contact point of a mechanism dissipates: against closed forms, a plain integration, and
// the energy ledger.

#include "largest.hpp"
#include "mechanism/dissipation_streams.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::validation::mechanism_dissipation_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;

constexpr double g = 9.81;

double normal_of(const Sample& sample, std::size_t point) {
    return sample.contact_points[point].dissipation.normal;
}
double sliding_of(const Sample& sample, std::size_t point) {
    return sample.contact_points[point].dissipation.sliding;
}

/// A block of 1 kg that a carriage keeps upright: it moves along x, and across it on the carriage.
/// The rail, of the body `rail`, pushes up.
Mechanism block_on_rail(const Vector& gravity, double overlap, std::size_t rail = ground) {
    Mechanism made;
    made.gravity = gravity;
    made.bodies = {{.name = "block", .mass = 1.0, .inertia = 1.0},
                   {.name = "carriage", .mass = 1e-3, .inertia = 1.0}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 1}, .axis = {1.0, 0.0}},
                   {.kind = JointKind::slider, .bodies = {1, 0}, .axis = {0.0, 1.0}}};
    made.contacts = {{.name = "rail",
                      .bodies = {0, rail},
                      .geometry = PointLine{.point = {0.0, 0.0},
                                            .line_point = {0.0, overlap},
                                            .normal = {0.0, 1.0},
                                            .radius = 0.01},
                      .materials = Stiffness{1e8},
                      .law = validation::law_settings("hertz")}};
    made.accuracy = 1e-11;
    return made;
}

/// A law under which the block of `block_on_rail` slides: impulses with Coulomb's friction, or a
/// force that carries its weight from the start with Ambrosio's.
Mechanism sliding_block(bool impulse, const Vector& gravity, double mu, std::size_t rail = ground) {
    const double overlap = impulse ? 0.0 : std::pow(-gravity[1] / 1e8, 2.0 / 3.0);
    Mechanism made = block_on_rail(gravity, overlap, rail);
    made.contacts[0].friction = Friction{
        .law = impulse ? Friction::Law::coulomb : Friction::Law::ambrosio, .coefficient = mu};
    if (impulse) made.contacts[0].law = Impulse{0.0};
    return made;
}

/// Contacts add up to the ledger, but for the friction of joints. Both add the same numbers: 1e-13
/// of the largest energy is rounding.
void check_sum_of_points(const Sample& sample, double joint_friction = 0.0) {
    const ContactDissipation sum = total_dissipation(sample);
    const double rounding = 1e-13 * sample.ledger.scale;
    CHECK_ABSOLUTE(sum.normal, sample.ledger.normal_dissipation, rounding);
    CHECK_ABSOLUTE(sum.sliding + joint_friction, sample.ledger.friction_dissipation, rounding);
}

}  // namespace

TEST_CASE("a block that slides down a plane dissipates mu N times its way") {
    constexpr double mu = 0.2, slope = 0.3, speed = 0.7;
    for (const bool impulse : {true, false}) {
        CAPTURE(impulse);
        const Vector gravity{g * std::sin(slope), -g * std::cos(slope)};
        Mechanism made = sliding_block(impulse, gravity, mu);
        for (Body& body : made.bodies)
            body.velocity = Vector{speed, 0.0};
        made.end = 0.5;
        made.interval = 0.05;
        std::size_t samples = 0;
        simulate(made, [&](const Sample& now) {
            const double way = now.bodies[0].centre[0];
            // The joint across the motion carries none of the weight, so N is the block's.
            CHECK_ABSOLUTE(sliding_of(now, 0), mu * g * std::cos(slope) * way, 1e-6 * mu * g);
            CHECK_ABSOLUTE(normal_of(now, 0), 0.0, 1e-9);
            check_sum_of_points(now);
            ++samples;
        });
        CHECK(samples == 11);
    }
}

TEST_CASE("a block that a moving belt takes along loses half of the belt's work in the contact") {
    // It slides until it has the speed of the belt: m v^2/2 are its energy, m v^2/2 are lost.
    constexpr double mu = 0.25, speed = 0.8;
    for (const bool impulse : {true, false}) {
        CAPTURE(impulse);
        Mechanism made = sliding_block(impulse, {0.0, -g}, mu, 2);
        made.bodies.push_back({.name = "belt", .mass = 1.0, .inertia = 1.0});
        made.joints.push_back({.kind = JointKind::slider,
                               .bodies = {ground, 2},
                               .axis = {1.0, 0.0},
                               .motor = Motor{{0.0}, {speed}}});
        for (const std::size_t body : {0, 1})
            made.bodies[body].velocity = Vector{0.0, 0.0};
        // Until it has the belt's speed, less Ambrosio's full slip.
        const double mass = made.bodies[0].mass + made.bodies[1].mass;
        const double last = mass * speed / (mu * g);
        made.end = 0.99 * last;
        made.interval = made.end / 9.0;
        simulate(made, [&](const Sample& now) {
            const double t = now.time, way = speed * t - 0.5 * mu * g / mass * t * t;
            CHECK_ABSOLUTE(sliding_of(now, 0), mu * g * way, 1e-6 * mu * g * speed * last);
            check_sum_of_points(now);
        });
        if (!impulse) continue;
        made.end = 1.5 * last;
        Result after = simulate(made);
        CHECK_RELATIVE(sliding_of(after.last, 0), 0.5 * mass * speed * speed, 1e-6);
    }
}

TEST_CASE("a bouncing ball loses 1 - e^2 of its kinetic energy at each impact") {
    constexpr double height = 0.1, e = 0.8, mass = 0.5;
    Mechanism made;
    made.gravity = {0.0, -g};
    made.bodies = {{.name = "ball", .mass = mass, .inertia = 1e-4, .centre = {0.0, height}}};
    made.contacts = {
        {.name = "floor",
         .bodies = {0, ground},
         .geometry =
             PointLine{.point = {0.0, height}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
         .law = Impulse{e}}};
    made.accuracy = 1e-11;
    made.end = 1.0;
    made.interval = 1e-3;
    const double fall = std::sqrt(2.0 * height / g), closing = fall * g;
    int largest_count = 0;
    simulate(made, [&](const Sample& now) {
        // Impact k, from 0, is at fall (1 + 2 e + ... + 2 e^k), with e^k of the first speed.
        double lost = 0.0, at = fall, speed = closing;
        int count = 0;
        for (; at < now.time; ++count) {
            lost += (1.0 - e * e) * 0.5 * mass * speed * speed;
            speed *= e;
            at += 2.0 * speed / g;
        }
        largest_count = std::max(largest_count, count);
        CHECK_ABSOLUTE(normal_of(now, 0), lost, 1e-9 * mass * g * height);
        CHECK(sliding_of(now, 0) == 0.0);
        check_sum_of_points(now);
    });
    CHECK(largest_count >= 6);
}

TEST_CASE("a ball between two walls leaves in each what its speed before and after says") {
    // Without gravity, under a law with force: each wall has the losses of its own impacts.
    constexpr double mass = 0.2, gap = 1e-3, first = 0.9;
    Mechanism made;
    made.bodies = {{.name = "ball", .mass = mass, .inertia = 1e-4, .velocity = Vector{first, 0.0}}};
    const auto wall = [&](const char* name, double side) {
        return Contact{.name = name,
                       .bodies = {0, ground},
                       .geometry = PointLine{.point = {0.0, 0.0},
                                             .line_point = {side * gap, 0.0},
                                             .normal = {-side, 0.0},
                                             .radius = 0.01},
                       .materials = Stiffness{1e8},
                       .law = validation::law_settings("tsuji", {{"restitution", 0.7}})};
    };
    made.contacts = {wall("right", 1.0), wall("left", -1.0)};
    made.accuracy = 1e-11;
    made.end = 0.013;  // after two impacts on the right and one on the left
    const Result result = simulate(made);
    std::array<double, 2> lost{};
    std::size_t impacts = 0;
    for (const std::size_t side : {0, 1}) {
        for (const Impact& impact : result.contact_points[side].impacts) {
            const double in = impact.impact_speed, out = impact.separation_speed;
            lost[side] += 0.5 * mass * (in * in - out * out);
            // Tsuji's dashpot has this restitution at every speed.
            CHECK_RELATIVE(out / in, 0.7, 1e-6);
            ++impacts;
        }
        CHECK_RELATIVE(normal_of(result.last, side), lost[side], 1e-9);
    }
    CHECK(impacts == 3);
    CHECK(lost[0] > 1.5 * lost[1]);
    check_sum_of_points(result.last);
}

TEST_CASE("a pin that turns in its bearing under load dissipates friction times sliding way") {
    // A motor turns the pin in a carriage that can only move up and down; a load that oscillates
    // presses it on the bearing. The plain integration below has the same forces.
    constexpr double mass = 2.0, spin = 60.0, mu = 0.15, bearing = 0.02, clearance = 1e-4;
    constexpr double stiffness = 2e9, restitution = 0.5, dashpot_speed = 0.01;
    constexpr double load = 8.0, frequency = 40.0;
    const double omega = 2.0 * std::numbers::pi * frequency;
    const double rest = std::pow(mass * g / stiffness, 2.0 / 3.0);
    Mechanism made;
    made.gravity = {0.0, -g};
    const double below = -(clearance + rest);  // centre of the pin, from that of the bearing
    made.bodies = {
        {.name = "carriage", .mass = 0.5 * mass, .inertia = 1e-3, .centre = {0.0, below}},
        {.name = "pin", .mass = 0.5 * mass, .inertia = 1e-3, .centre = {0.0, below}}};
    made.joints = {{.kind = JointKind::slider, .bodies = {ground, 0}, .axis = {0.0, 1.0}},
                   {.kind = JointKind::revolute,
                    .bodies = {0, 1},
                    .point = {0.0, below},
                    .motor = Motor{{0.0}, {spin}}}};
    made.contacts = {
        {.name = "bearing",
         .bodies = {1, ground},
         .geometry = Journal{.point = {0.0, below},
                             .bearing_centre = Vector{0.0, 0.0},
                             .bearing_radius = bearing,
                             .clearance = clearance},
         .materials = Stiffness{stiffness},
         .law = validation::law_settings("lankarani-nikravesh", {{"restitution", restitution},
                                                                 {"impact_speed", dashpot_speed}}),
         .friction = Friction{.coefficient = mu}}};
    made.forces = {{.body = 0,
                    .point = {0.0, below},
                    .times = {0.0},
                    .forces = {{0.0, load}},
                    .oscillation = {.frequency = frequency}}};
    made.accuracy = 1e-11;
    made.end = 0.1;
    made.interval = 0.02;

    // y'' of the carriage; the contact's overlap is -y - clearance.
    struct State {
        double y, v, normal, sliding;
    };
    const double chi = 3.0 * (1.0 - restitution * restitution) / 4.0;
    const auto rate = [&](double t, const State& s) {
        const double overlap = -s.y - clearance;
        const double elastic = stiffness * std::pow(overlap, 1.5);
        const double force = elastic * (1.0 + chi * -s.v / dashpot_speed);
        // The forces act in the middle of the overlap, at the pin's surface.
        const double slip = spin * (bearing - clearance - 0.5 * overlap);
        return State{s.v, -g + (force + load * std::sin(omega * t)) / mass,
                     (force - elastic) * -s.v, mu * force * slip};
    };
    const auto plus = [](const State& s, double by, const State& d) {
        return State{s.y + by * d.y, s.v + by * d.v, s.normal + by * d.normal,
                     s.sliding + by * d.sliding};
    };
    State s{below, 0.0, 0.0, 0.0};
    std::vector<State> expected{s};
    constexpr int steps = 200'000;
    const double h = made.end / steps;
    for (int k = 0; k < steps; ++k) {
        const double t = h * k;
        const State a = rate(t, s), b = rate(t + 0.5 * h, plus(s, 0.5 * h, a)),
                    c = rate(t + 0.5 * h, plus(s, 0.5 * h, b)), d = rate(t + h, plus(s, h, c));
        s = plus(plus(plus(plus(s, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
        if ((k + 1) % (steps / 5) == 0) expected.push_back(s);
    }
    std::size_t number = 0;
    simulate(made, [&](const Sample& now) {
        REQUIRE(number < expected.size());
        const State& at = expected[number++];
        CHECK_ABSOLUTE(sliding_of(now, 0), at.sliding, 1e-6 * expected.back().sliding);
        CHECK_ABSOLUTE(normal_of(now, 0), at.normal, 1e-6 * expected.back().normal);
        check_sum_of_points(now);
    });
    CHECK(number == expected.size());
    CHECK(expected.back().normal > 0.0);
}

TEST_CASE("what joints dissipate is in the ledger alone, beside the contacts") {
    constexpr double mu = 0.2, joint_mu = 0.1, speed = 1.5;
    Mechanism made = sliding_block(false, {0.0, -g}, mu);
    // The guide of the carriage bears a force across it: its friction is joint_mu times this.
    constexpr double across = 3.0;
    made.joints[0].friction = JointFriction{.coefficient = joint_mu, .length = 10.0};
    made.forces = {{.body = 1, .point = {0.0, 0.0}, .times = {0.0}, .forces = {{0.0, across}}}};
    for (Body& body : made.bodies)
        body.velocity = Vector{speed, 0.0};
    made.end = 0.3;
    made.interval = 0.1;
    simulate(made, [&](const Sample& now) {
        const double way = now.bodies[0].centre[0];
        const double weight = made.bodies[1].mass * g;
        CHECK_ABSOLUTE(sliding_of(now, 0), mu * g * way, 1e-6);
        check_sum_of_points(now, joint_mu * (across - weight) * way);
    });
}

TEST_CASE(
    "contacts add up to the ledger whatever the law, over driven ground and loads that swing") {
    const auto law_of = [](const std::string& name) -> std::variant<laws::Settings, Impulse> {
        if (name == "impulse") return Impulse{0.6};
        return validation::law_settings(name);
    };
    for (const std::string law : {"impulse", "hertz", "tsuji", "flores", "thornton", "walton-braun",
                                  "lankarani-nikravesh"}) {
        for (const bool spring : {false, true}) {
            const bool impulse = law == "impulse";
            if (impulse && spring) continue;
            CAPTURE(law);
            CAPTURE(spring);
            // A disc and a block on a table that shakes, thrown at each other.
            const laws::Elasticity soft{
                .youngs_modulus = 1e8, .poisson_ratio = 0.3, .yield_stress = 1e6};
            const shapes::Segment top{{-1.0, 0.0}, {1.0, 0.0}};
            Friction friction{.law = spring ? Friction::Law::linear : Friction::Law::ambrosio,
                              .coefficient = 0.3,
                              .stiffness = 1e4,
                              .damping = 1.0};
            if (impulse) friction = {.law = Friction::Law::coulomb, .coefficient = 0.3};
            Mechanism made;
            made.gravity = {0.0, -g};
            made.bodies = {{.name = "table", .mass = 5.0, .inertia = 1.0},
                           {.name = "disc",
                            .mass = 0.3,
                            .inertia = 6e-5,
                            .centre = {0.0, 0.0205},
                            .velocity = Vector{0.4, -0.3},
                            .angular_velocity = 8.0},
                           {.name = "ball",
                            .mass = 0.2,
                            .inertia = 4e-5,
                            .centre = {0.0415, 0.0203},
                            .velocity = Vector{-0.2, 0.0}}};
            made.joints = {{.kind = JointKind::slider,
                            .bodies = {ground, 0},
                            .axis = {1.0, 0.0},
                            .motor = Motor{{0.0, 0.01, 0.02}, {0.0, 0.2, -0.1}}}};
            const shapes::Circle disc{{0.0, 0.0205}, 0.02}, ball{{0.0415, 0.0203}, 0.02};
            const auto contact = [&](const char* name, std::size_t a, std::size_t b,
                                     const shapes::Shape& first, const shapes::Shape& second) {
                return Contact{.name = name,
                               .bodies = {a, b},
                               .geometry = Shapes{first, second},
                               .materials = Materials{{soft, soft}},
                               .law = law_of(law),
                               .friction = friction};
            };
            made.contacts = {contact("disc on table", 1, 0, disc, top),
                             contact("ball on table", 2, 0, ball, top),
                             contact("disc and ball", 1, 2, disc, ball)};
            made.forces = {{.body = 1,
                            .point = {0.0, 0.0205},
                            .times = {0.0},
                            .forces = {{0.3, 2.0}},
                            .oscillation = {.frequency = 90.0}}};
            made.accuracy = 1e-8;
            made.end = 0.05;
            made.interval = 0.01;
            std::size_t samples = 0;
            const auto look = [&](const Sample& now) {
                check_sum_of_points(now);
                ++samples;
            };
            const Result result = simulate(made, look);
            CHECK(samples == 6);
            std::size_t touched = 0;
            for (const ContactImpacts& point : result.contact_points)
                touched += point.impacts.empty() ? 0 : 1;
            CHECK(touched == 3);
            CHECK(sliding_of(result.last, 0) > 0.0);
            CHECK(result.last.ledger.friction_dissipation > 1e-3 * result.last.ledger.scale);
        }
    }
}

TEST_CASE("an impact of two contacts at once leaves half of its loss in each") {
    // Both corners of a block strike at once, without friction: each impulse takes half the loss.
    constexpr double e = 0.4, mass = 0.7, speed = 0.5;
    Mechanism made;
    made.bodies = {{.name = "block",
                    .mass = mass,
                    .inertia = 1e-3,
                    .centre = {0.0, 0.01},
                    .velocity = Vector{0.0, -speed}}};
    for (const double side : {-0.05, 0.05}) {
        made.contacts.push_back(
            {.name = side < 0.0 ? "left" : "right",
             .bodies = {0, ground},
             .geometry =
                 PointLine{.point = {side, 0.01}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{e}});
    }
    made.accuracy = 1e-11;
    made.end = 0.03;
    const Result result = simulate(made);
    const double lost = (1.0 - e * e) * 0.5 * mass * speed * speed;
    for (const std::size_t side : {0, 1})
        CHECK_RELATIVE(normal_of(result.last, side), 0.5 * lost, 1e-9);
    check_sum_of_points(result.last);
}

}  // namespace beadwave::validation::mechanism_dissipation_test
