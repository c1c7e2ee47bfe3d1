#include "beadwave/laws/collision.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>

namespace beadwave::validation::mechanism_contacts_test {
namespace {

using namespace mechanism;

const laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3, .yield_stress = 600e6};

laws::Settings law(const std::string& name, double restitution = 0.7) {
    laws::Settings made = validation::law_settings(name);
    if (made.values.contains("restitution")) made.values["restitution"] = restitution;
    if (made.values.contains("impact_speed")) made.values["impact_speed"] = std::string("initial");
    return made;
}

/// A body whose lowest point strikes the ground, its centre above this point.
Mechanism falling(const laws::Settings& settings, double height, double gravity) {
    Mechanism made;
    made.gravity = {0.0, -gravity};
    made.bodies = {{.name = "ball", .mass = 0.5, .inertia = 1e-4, .centre = {0.0, height + 0.02}}};
    made.contacts = {{.name = "floor",
                      .bodies = {0, ground},
                      .geometry = PointLine{.point = {0.0, height},
                                            .line_point = {5.0, 0.0},
                                            .normal = {0.0, 2.0},
                                            .radius = 0.02},
                      .materials = Materials{{steel, steel}},
                      .law = settings}};
    made.accuracy = 1e-10;
    return made;
}

TEST_CASE("a body thrown on the floor collides as two bodies in one dimension do") {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const std::string name : {"hertz", "flores", "ma-liu", "tsuji", "poursina-nikravesh",
                                   "kelvin-voigt", "walton-braun", "wang-liu", "stronge"}) {
        CAPTURE(name);
        constexpr double speed = 1.3;
        Mechanism made = falling(law(name), 0.001, 0.0);
        made.bodies[0].velocity = Vector{0.0, -speed};
        made.end = 2e-3;
        const auto impacts = simulate(made).contact_points.at(0).impacts;
        REQUIRE(impacts.size() == 1);
        laws::Settings own = law(name);
        if (own.values.contains("impact_speed")) own.values["impact_speed"] = speed;
        const auto contact = laws::sphere_contact(0.02, 0.5, steel, infinity, infinity, steel);
        const auto single = laws::collide(laws::make(contact, own), 0.5, speed);
        const Impact& hit = impacts[0];
        CHECK_RELATIVE(hit.mass, 0.5, 1e-12);
        CHECK_RELATIVE(hit.start, 0.001 / speed, 1e-10);
        CHECK_RELATIVE(hit.separation_speed, single.rebound_speed, 1e-7);
        CHECK_RELATIVE(hit.end - hit.start, single.duration, 1e-7);
        CHECK_RELATIVE(hit.peak_force, single.max_force, 1e-7);
        CHECK_RELATIVE(hit.largest_overlap, single.max_overlap, 1e-7);
        CHECK_ABSOLUTE(hit.dissipated, single.dissipated_energy, 1e-7 * 0.5 * 0.5 * speed * speed);
    }
}

TEST_CASE("a bouncing body comes to rest at the overlap that carries its weight") {
    Mechanism made = falling(law("flores", 0.3), 1e-3, 9.81);
    made.end = 0.2;
    made.accuracy = 1e-8;
    const Result result = simulate(made);
    const auto& impacts = result.contact_points.at(0).impacts;
    REQUIRE(impacts.size() >= 3);
    for (std::size_t i = 0; i + 1 < impacts.size(); ++i)
        CHECK(impacts[i + 1].impact_speed < impacts[i].impact_speed);
    CHECK(std::isnan(impacts.back().end));
    CHECK_RELATIVE(result.last.contact_points[0].force, 0.5 * 9.81, 1e-3);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-7);
}

TEST_CASE("a body that grazes a line within one long step touches it") {
    // Thrown up against a ceiling: its path reaches a tenth of a micrometre beyond it.
    Mechanism made = falling(law("hertz"), 0.0, 9.81);
    made.bodies[0].velocity = Vector{0.0, std::sqrt(2.0 * 9.81 * 0.1)};
    made.contacts[0].geometry = PointLine{.point = {0.0, 0.0},
                                          .line_point = {0.0, 0.1 - 1e-7},
                                          .normal = {0.0, -1.0},
                                          .radius = 0.02};
    made.end = 0.28;  // at 0.1428 s it is at its highest
    const auto impacts = simulate(made).contact_points.at(0).impacts;
    REQUIRE(impacts.size() == 1);
    CHECK_RELATIVE(impacts[0].impact_speed, std::sqrt(2.0 * 9.81 * 1e-7), 1e-6);
    made.contacts[0].geometry = PointLine{.point = {0.0, 0.0},
                                          .line_point = {0.0, 0.1 + 1e-7},
                                          .normal = {0.0, -1.0},
                                          .radius = 0.02};
    CHECK(simulate(made).contact_points.at(0).impacts.empty());
}

TEST_CASE(
    "the history of an elastoplastic contact is reset at each impact unless it is persistent") {
    for (const bool persistent : {false, true}) {
        CAPTURE(persistent);
        Mechanism made = falling(law("ma-liu"), 1e-3, 9.81);
        made.bodies[0].velocity = Vector{0.0, -0.5};
        made.contacts[0].persistent_history = persistent;
        made.end = 0.1;
        const auto impacts = simulate(made).contact_points.at(0).impacts;
        REQUIRE(impacts.size() >= 2);
        const double first = impacts[0].separation_speed / impacts[0].impact_speed;
        const double second = impacts[1].separation_speed / impacts[1].impact_speed;
        CHECK(first < 0.9);
        // The second impact is slower than the first: it stays on the unloading path and is
        // elastic.
        if (persistent) CHECK_RELATIVE(second, 1.0, 1e-6);
        if (!persistent) CHECK(second < 0.95);
    }
}

TEST_CASE("friction brakes a sliding body until it stops") {
    // It does not turn: the point of contact is below the centre, but the inertia is practically
    // infinite.
    Mechanism made = falling(law("flores", 0.3), 0.0, 9.81);
    made.bodies[0].inertia = 1e6;
    made.bodies[0].velocity = Vector{1.0, 0.0};
    // At the start the overlap already carries its weight.
    const double stiffness = laws::sphere_contact(0.02, 0.5, steel, 1e300, 1e300, steel).stiffness;
    const double overlap = std::pow(0.5 * 9.81 / stiffness, 2.0 / 3.0);
    std::get<PointLine>(made.contacts[0].geometry).line_point = {0.0, overlap};
    made.contacts[0].friction =
        Friction{.coefficient = 0.4, .slip_tolerance = 1e-6, .full_slip_speed = 1e-5};
    made.end = 0.3;
    const Result result = simulate(made);
    const double brake = 0.4 * 9.81;  // it stops after 0.2548 s and 0.1274 m
    CHECK_RELATIVE(result.last.bodies[0].centre[0], 0.5 / brake, 1e-3);
    CHECK(std::abs(result.last.bodies[0].velocity[0]) < 1e-5);
    CHECK_RELATIVE(result.last.ledger.friction_dissipation, 0.25, 1e-3);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-7);
}

TEST_CASE("a block thrown across its guide strikes with the corners on that side") {
    Mechanism made;
    made.bodies = {{.name = "block",
                    .mass = 0.4,
                    .inertia = 2e-4,
                    .centre = {0.0, 0.0},
                    .velocity = Vector{0.6, 0.8}}};
    made.contacts = {{.name = "guide",
                      .bodies = {0, ground},
                      .geometry = Prismatic{.point = {0.0, 0.0},
                                            .axis = {2.0, 0.0},
                                            .length = 0.04,
                                            .height = 0.02,
                                            .clearance = 1e-3,
                                            .corner_radius = 0.001},
                      .materials = Materials{{steel, steel}},
                      .law = law("hertz")}};
    made.end = 4e-3;
    made.accuracy = 1e-11;
    const Result result = simulate(made);
    REQUIRE(result.contact_points.size() == 4);
    // Both corners at once, so that the block does not turn. On the way back the other two strike.
    for (const std::size_t corner : {0, 1}) {
        REQUIRE(result.contact_points[corner].impacts.size() == 1);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].start, 1e-3 / 0.8, 1e-9);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].impact_speed, 0.8, 1e-9);
        CHECK_RELATIVE(result.contact_points[corner].impacts[0].separation_speed, 0.8, 1e-6);
    }
    for (const std::size_t corner : {2, 3}) {
        REQUIRE(result.contact_points[corner].impacts.size() == 1);
        CHECK(result.contact_points[corner].impacts[0].start > 1e-3 / 0.8 + 2e-3 / 0.8);
    }
    CHECK_RELATIVE(result.last.bodies[0].velocity[0], 0.6, 1e-12);
}

TEST_CASE("five pendulums in a row transmit an impulse from sphere to sphere") {
    Mechanism made;
    made.gravity = {0.0, -9.81};
    constexpr double radius = 0.01, string = 0.2;
    for (std::size_t i = 0; i < 5; ++i) {
        const double x = 2.0 * radius * static_cast<double>(i);
        made.bodies.push_back({.name = std::string(1, static_cast<char>('a' + i)),
                               .mass = 0.1,
                               .inertia = 4e-6,
                               .centre = {x, -string},
                               .velocity = Vector{i == 0 ? 0.5 : 0.0, 0.0}});
        made.joints.push_back(
            {.kind = JointKind::revolute, .bodies = {ground, i}, .point = {x, 0.0}});
        if (i == 0) continue;
        made.contacts.push_back(
            {.name = made.bodies[i].name,
             .bodies = {i - 1, i},
             .geometry = SphereSphere{.centres = {made.bodies[i - 1].centre, made.bodies[i].centre},
                                      .radii = {radius, radius}},
             .materials = Materials{{steel, steel}},
             .law = Impulse{1.0}});
    }
    made.end = 1e-3;
    const Result result = simulate(made);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(std::abs(result.last.bodies[i].velocity[0]) < 1e-3);
    CHECK_RELATIVE(result.last.bodies[4].velocity[0], 0.5, 1e-3);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-9);
}

}  // namespace
}  // namespace beadwave::validation::mechanism_contacts_test
