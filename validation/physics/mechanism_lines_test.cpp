// Line laws at every contact of a mechanism that two cylinders can make: an impact is the collision
// of the same law in one dimension.

#include "beadwave/laws/collision.hpp"
#include "line_contacts.hpp"
#include "mechanism/simulate.hpp"
#include "relative.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation::mechanism_lines_test {
namespace {

using namespace mechanism;
namespace shapes = mechanism::shapes;
using validation::line_settings;
using validation::refusal;

const laws::Elasticity steel{.youngs_modulus = 207e9, .poisson_ratio = 0.3};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double mass = 0.5, speed = 1.3, length = 0.03;

/// A roller of 20 mm that flies at `speed` onto something 1 mm below it.
Mechanism thrown(const laws::Settings& settings) {
    Mechanism made;
    made.bodies = {{.name = "roller",
                    .mass = mass,
                    .inertia = 1e-4,
                    .centre = {0.0, 0.021},
                    .velocity = Vector{0.0, -speed}}};
    made.contacts = {{.name = "floor",
                      .bodies = {0, ground},
                      .materials = Materials{{steel, steel}},
                      .law = settings,
                      .line_length = length}};
    made.accuracy = 1e-10;
    made.end = 2e-3;
    return made;
}

laws::Cylinder cylinder(double radius, double its_mass) {
    return {.radius = radius, .length = length, .mass = its_mass, .elasticity = steel};
}

void check_as_collision(const Mechanism& made, const laws::LineContact& contact,
                        const laws::Settings& settings) {
    const Result result = simulate(made);
    std::vector<Impact> impacts;
    for (const ContactImpacts& point : result.contact_points)
        impacts.insert(impacts.end(), point.impacts.begin(), point.impacts.end());
    REQUIRE(impacts.size() == 1);
    const auto single = laws::collide(laws::make_line(contact, settings, speed), mass, speed);
    const Impact& hit = impacts[0];
    CHECK_RELATIVE(hit.mass, mass, 1e-10);
    CHECK_RELATIVE(hit.separation_speed, single.rebound_speed, 1e-7);
    CHECK_RELATIVE(hit.end - hit.start, single.duration, 1e-6);
    CHECK_RELATIVE(hit.peak_force, single.max_force, 1e-7);
    CHECK_RELATIVE(hit.largest_overlap, single.max_overlap, 1e-7);
    CHECK(std::abs(result.last.ledger.relative_energy_error) < 1e-8);
}

laws::Settings damped(const std::string& name) {
    return line_settings(name, {{"damping", "flores"}, {"restitution", 0.8}});
}

}  // namespace

TEST_CASE("a roller on a roller collides as two cylinders side by side") {
    for (const std::string name : {"johnson", "hertz", "pereira"}) {
        CAPTURE(name);
        Mechanism made = thrown(damped(name));
        made.contacts[0].geometry =
            Shapes{shapes::Circle{{0.0, 0.021}, 0.02}, shapes::Circle{{0.0, -0.05}, 0.05}};
        check_as_collision(
            made, laws::external_line_contact(cylinder(0.02, mass), cylinder(0.05, infinity)),
            damped(name));
        made.contacts[0].geometry = SphereSphere{
            .centres = {Vector{0.0, 0.021}, Vector{0.0, -0.05}}, .radii = {0.02, 0.05}};
        check_as_collision(
            made, laws::external_line_contact(cylinder(0.02, mass), cylinder(0.05, infinity)),
            damped(name));
    }
}

TEST_CASE("a roller in an arc collides as a pin in a hole, also under laws for holes alone") {
    for (const std::string name : {"johnson", "liu", "esdu-78035", "persson"}) {
        CAPTURE(name);
        Mechanism made = thrown(damped(name));
        made.contacts[0].geometry = Shapes{shapes::Circle{{0.0, 0.021}, 0.02},
                                           shapes::Arc{.centre = {0.0, 0.025},
                                                       .radius = 0.025,
                                                       .from_angle = 1.2 * std::numbers::pi,
                                                       .to_angle = 1.8 * std::numbers::pi,
                                                       .side = shapes::Arc::Side::inside}};
        check_as_collision(
            made, laws::internal_line_contact(cylinder(0.02, mass), cylinder(0.025, infinity)),
            damped(name));
    }
}

TEST_CASE("a tip on its line, and a roller on a segment, are a cylinder on a flat") {
    const auto contact =
        laws::external_line_contact(cylinder(0.02, mass), cylinder(infinity, infinity));
    CHECK(contact.radius == 0.02);
    for (const std::string name : {"pereira", "lankarani-nikravesh"}) {
        CAPTURE(name);
        Mechanism made = thrown(damped(name));
        made.contacts[0].geometry = PointLine{
            .point = {0.0, 0.001}, .line_point = {5.0, 0.0}, .normal = {0.0, 1.0}, .radius = 0.02};
        check_as_collision(made, contact, damped(name));
        made.contacts[0].geometry = Shapes{shapes::Circle{{0.0, 0.021}, 0.02},
                                           shapes::Segment{{-1.0, 0.0}, {1.0, 0.0}, 0.0}};
        check_as_collision(made, contact, damped(name));
    }
}

TEST_CASE("pereira's force on a flat is the limit of its force on an ever larger roller") {
    const auto at = [](double radius) {
        const auto contact =
            laws::external_line_contact(cylinder(0.02, mass), cylinder(radius, infinity));
        return laws::make_line(contact, line_settings("pereira"), speed)
            .respond(1e-6, 0.0, {})
            .force;
    };
    CHECK_RELATIVE(at(1e9), at(infinity), 1e-9);
    CHECK(at(0.02) > 1.01 * at(infinity));
}

TEST_CASE("a line law that has no force on a flat is refused before the run, at a guide too") {
    const std::string no_flat =
        "contact \"floor\": johnson has no force against a flat, where its Delta R is infinite; "
        "take "
        "pereira or lankarani-nikravesh";
    Mechanism made = thrown(damped("johnson"));
    made.contacts[0].geometry = PointLine{
        .point = {0.0, 0.001}, .line_point = {0.0, 0.0}, .normal = {0.0, 1.0}, .radius = 0.02};
    CHECK(refusal([&] { check(made); }) == no_flat);
    made.contacts[0].geometry = Prismatic{.point = {0.0, 0.0},
                                          .axis = {1.0, 0.0},
                                          .length = 0.04,
                                          .height = 0.02,
                                          .clearance = 1e-3,
                                          .corner_radius = 1e-3};
    CHECK(refusal([&] { check(made); }) == no_flat);
    made.contacts[0].law = damped("pereira");
    CHECK(refusal([&] { check(made); }) == "none");
    made.contacts[0].geometry = Journal{.bearing_radius = 0.01, .clearance = 1e-4};
    CHECK(refusal([&] { check(made); }) ==
          "contact \"floor\": a journal takes its length in place of line_length");
}
TEST_CASE("a line law is checked before the run with the radii of the shapes") {
    // pereira is for clearances of 5 um to 10 mm.
    Mechanism made = thrown(damped("pereira"));
    const auto in_socket = [&](double radius) {
        made.contacts[0].geometry =
            Shapes{.first = shapes::Circle{{0.0, 0.021}, radius},
                   .second = shapes::Arc{.centre = {0.0, 0.021},
                                         .radius = 0.1,
                                         .from_angle = 3.2,
                                         .to_angle = 6.2,
                                         .side = shapes::Arc::Side::inside}};
        return refusal([&] { check(made); });
    };
    CHECK(in_socket(0.099) == "none");
    CHECK(in_socket(0.085).find("pereira is fitted to clearances") != std::string::npos);
    made.contacts[0].law = damped("johnson");
    made.contacts[0].geometry = Shapes{.first = shapes::Circle{{0.0, 0.021}, 0.02},
                                       .second = shapes::Segment{{-1.0, 0.0}, {1.0, 0.0}}};
    CHECK(refusal([&] { check(made); }).find("johnson has no force against a flat") !=
          std::string::npos);
}

}  // namespace beadwave::validation::mechanism_lines_test
