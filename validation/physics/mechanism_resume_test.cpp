#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "slider_crank.hpp"

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace beadwave::validation::mechanism_resume_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;

struct Seen {
    std::vector<double> numbers;  ///< of every sample and impact, in order
    std::vector<std::vector<double>> states;
    std::vector<std::size_t> before;  ///< count of numbers before each state
    int stop_calls = 0;
};

/// A run from a state, which saves its state every `steps` steps. It is stopped at the `stop`-th
/// call that asks for that.
Seen run(const Mechanism& made, int steps, const std::vector<double>* from = nullptr,
         int stop = 0) {
    Seen seen;
    int step = 0;
    Sinks sinks;
    sinks.sample = [&](const Sample& sample) {
        seen.numbers.push_back(sample.time);
        for (const BodyState& body : sample.bodies) {
            seen.numbers.insert(
                seen.numbers.end(),
                {body.centre[0], body.centre[1], body.velocity[0], body.velocity[1],
                 body.acceleration[0], body.acceleration[1], body.angle, body.angular_velocity});
        }
        for (const ContactSample& point : sample.contact_points) {
            seen.numbers.insert(seen.numbers.end(),
                                {point.overlap, point.force, point.friction,
                                 point.dissipation.normal, point.dissipation.sliding, point.worn});
            seen.numbers.insert(seen.numbers.end(), point.worn_depth.begin(),
                                point.worn_depth.end());
        }
        seen.numbers.insert(seen.numbers.end(),
                            {sample.ledger.energy_error, sample.ledger.relative_energy_error,
                             sample.ledger.dissipated});
    };
    sinks.impact = [&](std::size_t point, const Impact& impact) {
        seen.numbers.push_back(static_cast<double>(point));
        for (double Impact::*number : impact_numbers)
            seen.numbers.push_back(impact.*number);
    };
    sinks.stop = [&] { return ++seen.stop_calls == stop; };
    sinks.checkpoint_due = [&](std::int64_t) { return ++step % steps == 0; };
    sinks.checkpoint = [&](std::int64_t, const std::vector<double>& state) {
        seen.before.push_back(seen.numbers.size());
        seen.states.push_back(state);
    };
    const Result result = simulate(made, sinks, from);
    for (const double count :
         {static_cast<double>(result.steps), static_cast<double>(result.rejected_steps),
          static_cast<double>(result.evaluations), result.largest_relative_energy_error})
        seen.numbers.push_back(count);
    return seen;
}

/// Continues from every state of a run. All numbers after the state must equal those of the whole
/// run to the bit.
void check_every_state(const Mechanism& made, int steps) {
    const Seen whole = run(made, steps);
    REQUIRE(whole.states.size() > 3);
    for (std::size_t i = 0; i < whole.states.size(); ++i) {
        const Seen resumed = run(made, steps, &whole.states[i]);
        REQUIRE(resumed.numbers.size() == whole.numbers.size() - whole.before[i]);
        std::size_t different = 0;
        for (std::size_t k = 0; k < resumed.numbers.size(); ++k) {
            different += std::bit_cast<std::uint64_t>(resumed.numbers[k]) !=
                         std::bit_cast<std::uint64_t>(whole.numbers[whole.before[i] + k]);
        }
        CHECK(different == 0);
    }
}

TEST_CASE("a mechanism continues from any step to the same bits, with any contact history") {
    // Impulses: until the pin rests on the bearing.
    constexpr int steps = 5;
    for (const std::string law :
         {"lankarani-nikravesh", "ma-liu", "poursina-nikravesh", "impulse"}) {
        CAPTURE(law);
        const double end = law == "impulse" ? 1.5e-3 : 4e-4;
        validation::SliderCrank given;
        given.end = end;
        if (law != "impulse") given.law = validation::law_settings(law);
        if (given.law.values.contains("impact_speed"))
            given.law.values["impact_speed"] = std::string("per-contact");
        Mechanism made = given.mechanism();
        if (law == "impulse") made.contacts[0].law = Impulse{0.3};
        made.contacts[0].persistent_history = law == "ma-liu";
        made.contacts[0].wear = Wear{.law = {.coefficient = 1e-4, .hardness = 1e9}, .width = 0.02};
        made.wear_bins = 36;
        made.interval = end / 17.0;
        // The slope of the speed of the motor jumps. The state also holds the side of the jump.
        made.joints[0].motor =
            Motor{.times = {0.0, 0.3 * end, 0.6 * end}, .speeds = {given.speed, 600.0, 400.0}};
        check_every_state(made, steps);
    }
}

TEST_CASE("a mechanism with contacts of shapes continues from any step to the same bits") {
    // The law is made with the radii of curvature where the contact closed.
    const shapes::Ellipse ellipse{{0.0, 0.03}, {0.04, 0.02}, 0.4};
    const shapes::Segment floor{{-1.0, 0.0}, {1.0, 0.0}};
    const laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3};
    laws::Settings flores = validation::law_settings("flores");
    flores.values["impact_speed"] = std::string("per-contact");
    Mechanism made;
    made.gravity = {0.0, -9.81};
    made.bodies = {{.name = "ellipse",
                    .mass = 0.3,
                    .inertia = 2e-4,
                    .centre = {0.0, 0.03},
                    .velocity = Vector{0.2, -0.5},
                    .angular_velocity = 5.0}};
    made.contacts = {{.name = "floor",
                      .bodies = {0, ground},
                      .geometry = Shapes{ellipse, floor},
                      .materials = Materials{{steel, steel}},
                      .law = flores}};
    made.end = 0.1;
    made.interval = made.end / 17.0;
    check_every_state(made, 5);
}

TEST_CASE("a mechanism with friction in its joints continues from any step to the same bits") {
    // A block in a guide swings on a spring until its friction holds it, with a pendulum on its
    // pin.
    Mechanism made;
    made.gravity = {0.0, -9.81};
    made.bodies = {{.name = "block", .mass = 2.0, .inertia = 0.1, .centre = {0.05, 0.0}},
                   {.name = "pendulum", .mass = 0.5, .inertia = 0.01, .centre = {0.25, -0.2}}};
    made.joints = {{.kind = JointKind::slider,
                    .bodies = {ground, 0},
                    .axis = {1.0, 0.0},
                    .friction = JointFriction{.coefficient = 0.15, .length = 0.2}},
                   {.kind = JointKind::revolute,
                    .bodies = {0, 1},
                    .point = {0.05, 0.0},
                    .friction = JointFriction{.coefficient = 0.3, .radius = 0.02}}};
    made.springs = {{.name = "spring",
                     .bodies = {ground, 0},
                     .points = {{{-1.0, 0.0}, {0.05, 0.0}}},
                     .free_length = 1.0,
                     .stiffness = 200.0}};
    made.end = 3.0;
    made.interval = made.end / 17.0;
    check_every_state(made, 9);
}

TEST_CASE("a mechanism that is stopped within a step continues to the same bits") {
    validation::SliderCrank given;
    given.law = validation::law_settings("lankarani-nikravesh");
    given.end = 4e-4;
    Mechanism made = given.mechanism();
    made.interval = given.end / 17.0;
    made.contacts[0].wear = Wear{.law = {.coefficient = 1e-4, .hardness = 1e9}, .width = 0.02};
    made.wear_bins = 36;
    made.joints[0].motor = Motor{.times = {0.0, 0.3 * given.end, 0.6 * given.end},
                                 .speeds = {given.speed, 600.0, 400.0}};
    constexpr int never = 1 << 30;
    const Seen whole = run(made, never);
    const double steps = whole.numbers[whole.numbers.size() - 4];
    CHECK(whole.stop_calls > 12.0 * steps);  // also within steps
    for (int call = 1; call < 400; call += 7) {
        CAPTURE(call);
        const Seen stopped = run(made, never, nullptr, call);
        REQUIRE(stopped.states.size() == 1);
        const Seen resumed = run(made, never, &stopped.states[0]);
        REQUIRE(resumed.numbers.size() == whole.numbers.size() - stopped.before[0]);
        std::size_t different = 0;
        for (std::size_t k = 0; k < resumed.numbers.size(); ++k) {
            different += std::bit_cast<std::uint64_t>(resumed.numbers[k]) !=
                         std::bit_cast<std::uint64_t>(whole.numbers[stopped.before[0] + k]);
        }
        CHECK(different == 0);
    }
}

TEST_CASE("a saved state of another mechanism, or a damaged one, is refused") {
    validation::SliderCrank given;
    given.law = validation::law_settings("hertz");
    given.end = 4e-4;
    const Mechanism made = given.mechanism();
    const Seen whole = run(made, 20);
    REQUIRE(!whole.states.empty());
    std::vector<double> state = whole.states.back();
    state.push_back(0.0);
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
    state.resize(state.size() - 3);
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
    state = whole.states.back();
    state.front() = 1.0;  // the time, beyond the end
    CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
}

TEST_CASE(
    "contacts with Coulomb's friction continue from any step, and shorter states are refused") {
    Mechanism made;
    made.gravity = {1.0, -9.81};
    made.bodies = {{.name = "block",
                    .mass = 2.0,
                    .inertia = 0.01,
                    .centre = {0.0, 0.07},
                    .velocity = Vector{-0.5, 0.0},
                    .angular_velocity = 1.0}};
    for (const double x : {-0.1, 0.1}) {
        made.contacts.push_back(
            {.name = x < 0.0 ? "left" : "right",
             .bodies = {0, ground},
             .geometry =
                 PointLine{.point = {x, 0.02}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
             .law = Impulse{.restitution = 0.3},
             .friction = Friction{.law = Friction::Law::coulomb, .coefficient = 0.3}});
    }
    made.end = 0.5;
    made.interval = made.end / 17.0;
    check_every_state(made, 5);
    const Seen whole = run(made, 20);
    REQUIRE(!whole.states.empty());
    for (std::size_t less = 1; less <= 40; ++less) {
        std::vector<double> state = whole.states.back();
        state.resize(state.size() - less);
        CHECK_THROWS_AS(run(made, 20, &state), std::length_error);
    }
}

TEST_CASE(
    "a block that lifts, or sticks, under a load that oscillates continues to the same bits") {
    for (const bool lifts : {true, false}) {
        CAPTURE(lifts);
        Mechanism made;
        made.gravity = {0.0, -9.81};
        made.bodies = {{.name = "block", .mass = 1.0, .inertia = 0.01, .centre = {0.0, 0.0}}};
        made.forces = {{.body = 0,
                        .point = {0.0, 0.0},
                        .times = {0.0},
                        .forces = {lifts ? Vector{3.0, 15.0} : Vector{4.2, 2.0}},
                        .oscillation = {.frequency = 2.1, .phase = -1.0}}};
        for (const double x : {-0.1, 0.1}) {
            made.contacts.push_back(
                {.name = x < 0.0 ? "left" : "right",
                 .bodies = {0, ground},
                 .geometry =
                     PointLine{.point = {x, 0.0}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}},
                 .law = Impulse{.restitution = 0.0},
                 .friction = Friction{.law = Friction::Law::coulomb, .coefficient = 0.3}});
        }
        made.end = 1.0;
        made.interval = made.end / 17.0;
        check_every_state(made, 3);
    }
}

}  // namespace
}  // namespace beadwave::validation::mechanism_resume_test
