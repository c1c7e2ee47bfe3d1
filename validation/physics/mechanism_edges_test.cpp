// Mechanisms at the edges of what can be computed: forces in balance, singular positions, loops
// that lock, starts that contradict themselves. Each is right, refused, or comes with a warning.
#include "beadwave/argument_error.hpp"
#include "mechanism/simulate.hpp"
#include "mechanism/start.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace beadwave::validation::mechanism_edges_test {
namespace {

using namespace mechanism;

/// A body of 1 kg whose lowest point lies `overlap` below the floor.
Mechanism on_floor(double overlap, const laws::Settings& law) {
    Mechanism made;
    made.gravity = {0.0, -10.0};
    made.bodies = {{.name = "block", .mass = 1.0, .inertia = 1e-3, .centre = {0.0, 0.0}}};
    made.contacts = {{.name = "tip",
                      .bodies = {0, ground},
                      .geometry = PointLine{.point = {0.0, 0.0},
                                            .line_point = {0.0, overlap},
                                            .normal = {0.0, 1.0},
                                            .radius = 0.01},
                      .materials = Stiffness{1e8},
                      .law = law}};
    made.accuracy = 1e-9;
    made.end = 0.01;
    return made;
}

laws::Settings flores(const laws::Value& impact_speed) {
    return validation::law_settings("flores",
                                    {{"restitution", 0.6}, {"impact_speed", impact_speed}});
}

const laws::Value each_impact = std::string("initial");

/// A motor turns a crank; a rod joins its end to a slider on the x axis.
Mechanism slider_crank(double crank, double rod, double speed) {
    Mechanism made;
    const double start = crank + rod;
    made.bodies = {
        {.name = "crank", .mass = 1.0, .inertia = 0.01, .centre = {0.5 * crank, 0.0}},
        {.name = "rod", .mass = 1.0, .inertia = 0.01, .centre = {crank + 0.5 * rod, 0.0}},
        {.name = "slider", .mass = 1.0, .inertia = 0.01, .centre = {start, 0.0}}};
    made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}, .motor = Motor{{0.0}, {speed}}},
                   {.bodies = {0, 1}, .point = {crank, 0.0}},
                   {.bodies = {1, 2}, .point = {start, 0.0}},
                   {.kind = JointKind::slider, .bodies = {ground, 2}, .axis = {1.0, 0.0}}};
    made.end = 1.0;
    return made;
}

/// Crank, coupler and rocker between the origin and (ground, 0), flat at the start.
Mechanism flat_four_bar(double crank, double coupler, double grounds) {
    Mechanism made;
    made.bodies = {
        {.name = "crank", .mass = 1.0, .inertia = 0.01, .centre = {0.5 * crank, 0.0}},
        {.name = "coupler", .mass = 1.0, .inertia = 0.01, .centre = {crank + 0.5 * coupler, 0.0}},
        {.name = "rocker", .mass = 1.0, .inertia = 0.01, .centre = {grounds, 0.0}}};
    made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}, .motor = Motor{{0.0}, {10.0}}},
                   {.bodies = {0, 1}, .point = {crank, 0.0}},
                   {.bodies = {1, 2}, .point = {crank + coupler, 0.0}},
                   {.bodies = {2, ground}, .point = {grounds, 0.0}}};
    made.end = 1.0;
    return made;
}

TEST_CASE("a body in exact balance on the floor stays there in a few steps") {
    const double overlap = std::pow(10.0 / 1e8, 2.0 / 3.0);  // K overlap^(3/2) = m g
    const Result result = simulate(on_floor(overlap, flores(each_impact)));
    CHECK(result.steps < 100);  // the time is 1.3 periods of the contact; it took 1e6 steps
    CHECK_ABSOLUTE(result.last.bodies[0].centre[1], 0.0, 1e-9 * overlap);
    CHECK(std::abs(result.last.bodies[0].velocity[1]) < 1e-12);
    CHECK(result.largest_relative_energy_error < 1e-9);
}

TEST_CASE("a contact that overlaps at the start is a warning, and under impulses an error") {
    CHECK(check_start(on_floor(-1e-6, flores(each_impact))).empty());
    CHECK(check_start(on_floor(2e-5, flores(0.5))).empty());
    CHECK(check_start(on_floor(2e-5, validation::law_settings("hertz"))).empty());
    Mechanism made = on_floor(2e-5, flores(each_impact));
    auto warnings = check_start(made);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("takes 0.001 m/s") != std::string::npos);
    made.bodies[0].velocity = Vector{0.0, -0.25};
    warnings = check_start(made);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("overlap by 2e-05 m at the start") != std::string::npos);
    CHECK(warnings[0].find("takes 0.25 m/s") != std::string::npos);
    made.contacts[0].law = Impulse{0.5};
    CHECK_THROWS_WITH_AS(check_start(made), doctest::Contains("overlap by 2e-05 m at the start"),
                         PartError);
    made = on_floor(0.0, flores(each_impact));
    made.contacts[0].law = Impulse{0.5};
    CHECK(check_start(made).empty());
}

TEST_CASE("a crank longer than its rod locks where the rod stands upright") {
    const Mechanism made = slider_crank(0.1, 0.08, 10.0);
    CHECK(check_start(made).empty());
    // sin(angle) = rod / crank, at 0.1 asin(0.8) s
    CHECK_THROWS_WITH_AS(simulate(made), doctest::Contains("locks at 0.09272952"),
                         std::runtime_error);
}

TEST_CASE("a passage through a singular position is a warning, a revolution without one is not") {
    const Result equal = simulate(slider_crank(0.1, 0.1, 10.0));
    REQUIRE(equal.warnings.size() == 1);  // at angles of pi/2, 3 pi/2 and 5 pi/2 rad of 10
    CHECK(equal.warnings[0].find("passed 3 singular positions") != std::string::npos);
    CHECK(simulate(slider_crank(0.1, 0.101, 40.0)).warnings.empty());
    CHECK(simulate(slider_crank(0.1, 0.3, 40.0)).warnings.empty());
}

TEST_CASE("bars that lie flat at the start are a warning, and move where their speeds say how") {
    Mechanism flat = flat_four_bar(0.1, 0.3, 0.3);  // a parallelogram at its change point
    const auto warnings = check_start(flat);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("singular position") != std::string::npos);
    // Only the crank moves: neither of the two motions from there.
    CHECK_THROWS_WITH_AS(simulate(flat), doctest::Contains("or more than one"), std::runtime_error);
    flat.bodies[1].velocity = Vector{0.0, 1.0};
    flat.bodies[2].angular_velocity = 10.0;
    const Result result = simulate(flat);
    CHECK_ABSOLUTE(result.last.bodies[1].angle, 0.0, 1e-9);
    CHECK_ABSOLUTE(result.last.bodies[2].angle, 10.0, 1e-7);  // the accuracy, in 15 steps
    CHECK(result.largest_relative_energy_error < 1e-6);
}

TEST_CASE("energies that do not balance are a warning") {
    Mechanism made;  // a double pendulum that turns over, at the loosest accuracy
    made.bodies = {{.name = "a", .mass = 1.0, .inertia = 0.01, .centre = {0.5, 0.0}},
                   {.name = "b", .mass = 1.0, .inertia = 0.01, .centre = {1.5, 0.0}}};
    made.joints = {{.bodies = {ground, 0}, .point = {0.0, 0.0}},
                   {.bodies = {0, 1}, .point = {1.0, 0.0}}};
    made.gravity = {0.0, -9.81};
    made.accuracy = 1e-2;
    made.end = 100.0;
    const Result result = simulate(made);
    CHECK(result.largest_relative_energy_error > 1e-3);
    REQUIRE(!result.warnings.empty());
    CHECK(result.warnings[0].find("balance only to") != std::string::npos);
}

TEST_CASE("joints and motors that contradict themselves are named") {
    Mechanism made = slider_crank(0.1, 0.3, 10.0);
    made.joints.push_back({.bodies = {1, 0}, .point = {0.1, 0.0}});
    CHECK_THROWS_WITH_AS(simulate(made), doctest::Contains("joint 4: repeats joint 1"), PartError);
    made.joints.back() = {.kind = JointKind::slider, .bodies = {ground, 2}, .axis = {-3.0, 0.0}};
    CHECK_THROWS_WITH_AS(simulate(made), doctest::Contains("joint 4: repeats joint 3"), PartError);
    made.joints.pop_back();
    made.joints[3].motor = Motor{{0.0}, {1.0}};  // the crank alone moves the slider at 0 m/s
    CHECK_THROWS_WITH_AS(simulate(made),
                         doctest::Contains("the motors of joints 0 and 3 contradict each other"),
                         PartError);
    made.joints[3].motor = Motor{{-1.0, 0.5}, {1.0, 1.0}};
    CHECK_THROWS_WITH_AS(simulate(made), doctest::Contains("the run starts at 0 s"), PartError);
}

TEST_CASE("a clearance that rounding hides is refused") {
    Mechanism made = on_floor(0.0, flores(each_impact));
    made.bodies.push_back({.name = "pin", .mass = 1.0, .inertia = 1e-3, .centre = {1.0, 0.0}});
    made.contacts[0].bodies = {1, 0};
    made.contacts[0].geometry =
        Journal{.point = {1.0, 0.0}, .bearing_radius = 0.01, .clearance = 1e-12};
    CHECK_THROWS_WITH_AS(check_start(made), doctest::Contains("give at least 1e-09 m"), PartError);
    std::get<Journal>(made.contacts[0].geometry).clearance = 1e-8;
    CHECK(check_start(made).empty());
}

}  // namespace
}  // namespace beadwave::validation::mechanism_edges_test
