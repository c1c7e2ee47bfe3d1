// Flat on flat: cubes with rounded edges on each other and on a floor.
#include "packing/shaped/flat_places.hpp"

#include "beadwave/laws/contact.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace beadwave::validation::flat_places_test {
namespace {

using namespace shapes;
using packing::make_packing_engine;
using packing::Packing;
using std::numbers::pi;

constexpr double edge = 10e-3, half = 0.5 * edge, stiffness = 1e4;

Body cube(const Vector& centre, double exponent = 4.0) {
    return solid({{.semi_axes = {half, half, half}, .centre = centre},
                  {.plane = exponent, .axis = exponent}},
                 1200.0);
}

Packing cubes(const std::string& law) {
    Packing p = shaped_packing(1e8, law);
    if (law == "hooke") p.law.values.insert_or_assign("stiffness", stiffness);
    return p;
}

/// Steps until nothing touches, with contact at the start.
int steps_in_contact(packing::PackingEngine& engine, int most) {
    for (int s = 1; s <= most; ++s) {
        engine.advance(1);
        if (engine.closed_contacts() == 0) return s;
    }
    FAIL("the bodies do not part");
    return 0;
}

TEST_CASE("a cube that lands flat on a floor is a mass on a spring") {
    for (const double exponent : {2.5, 4.0, 8.0}) {
        Packing p = cubes("hooke");
        p.walls.push_back({});
        Body body = cube({0.0, 0.0, half}, exponent);
        body.velocity = {0.0, 0.0, -0.5};
        add_body(p, body);
        const double time = pi * std::sqrt(body.mass / stiffness), dt = time / 1000.5;
        const auto engine = make_packing_engine(p, dt, 1);
        CHECK(std::abs(steps_in_contact(*engine, 2000) - 1001) <= 1);
        CHECK_RELATIVE(engine->velocity()[0].z, 0.5, 1e-5);
        CHECK(length(engine->angular_velocity()[0]) == 0.0);
        CHECK(engine->flat_contacts() == 0);
    }
}

TEST_CASE("two cubes that meet face on face exchange their velocities") {
    for (const double aside : {0.0, 0.2e-3}) {
        Packing p = cubes("hooke");
        Body lower = cube({}), upper = cube({aside, 0.0, edge});
        upper.velocity = {0.0, 0.0, -0.5};
        add_body(p, lower);
        add_body(p, upper);
        const double time = pi * std::sqrt(0.5 * lower.mass / stiffness), dt = time / 1000.5;
        const auto engine = make_packing_engine(p, dt, 1);
        const double before = energy_of(engine->totals());
        if (aside == 0.0) {
            CHECK(std::abs(steps_in_contact(*engine, 2000) - 1001) <= 1);
            CHECK_RELATIVE(engine->velocity()[0].z, -0.5, 1e-5);
            CHECK(std::abs(engine->velocity()[1].z) < 1e-5);
            CHECK(length(engine->angular_velocity()[1]) == 0.0);
        } else {
            // The force acts between the centres, and both begin to turn the same way.
            advance_until_apart(*engine, 3000);
            CHECK(engine->angular_velocity()[0].y * engine->angular_velocity()[1].y > 0.0);
        }
        // The torque of a face rises with an endless slope: 1e-6 at this step.
        CHECK_RELATIVE(energy_of(engine->totals()), before, 1e-5);
    }
}

TEST_CASE("two cubes fall flat onto each other and the floor, and come to rest as a stack") {
    Packing p = cubes("kelvin-voigt");
    p.law.values.insert_or_assign("stiffness", stiffness);
    p.friction = {
        .law = laws::FrictionLaw::linear, .coefficient = 0.5, .stiffness = 0.3 * stiffness};
    p.gravity = {0.0, 0.0, -9.81};
    p.walls.push_back({});
    add_body(p, cube({0.0, 0.0, half + 0.2e-3}));
    add_body(p, cube({0.0, 0.0, 3.0 * half + 0.6e-3}));
    const double weight = p.mass[0] * 9.81;
    const auto engine = make_packing_engine(p, 1e-5, 1);
    engine->advance(40000);
    CHECK(engine->closed_contacts() == 2);
    CHECK(engine->flat_contacts() == 0);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(length(engine->velocity()[i]) < 1e-6);
        CHECK(length(engine->angular_velocity()[i]) < 1e-6);
    }
    // The floor carries both, the lower cube one.
    const double lower = p.position[0].z + engine->displacement()[0].z;
    const double upper = p.position[1].z + engine->displacement()[1].z;
    CHECK_RELATIVE(half - lower, 2.0 * weight / stiffness, 1e-4);
    CHECK_RELATIVE(edge - (upper - lower), weight / stiffness, 1e-4);
}

/// On a floor under gravity that is tilted by this angle [rad], settled for 0.2 s.
Packing cube_on_slope(double angle) {
    Packing p = cubes("kelvin-voigt");
    p.law.values.insert_or_assign("stiffness", stiffness);
    p.friction = {.law = laws::FrictionLaw::linear,
                  .coefficient = 0.3,
                  .stiffness = 0.3 * stiffness,
                  .damping = 0.5};
    p.gravity = 9.81 * Vector{std::sin(angle), 0.0, -std::cos(angle)};
    p.walls.push_back({});
    add_body(p, cube({0.0, 0.0, half}));
    return p;
}

TEST_CASE(
    "a cube on a slope holds below Coulomb's limit, and slides above it, to the bit resumed") {
    const double holds = std::atan(0.2), slides = std::atan(0.5);
    const Packing still = cube_on_slope(holds);
    const auto at_rest = make_packing_engine(still, 1e-5, 1);
    // It rocks a little on its face, which nothing damps but the dashpot: means over 0.5 s.
    at_rest->advance(10000);
    const double place = at_rest->displacement()[0].x;
    double pull = 0.0, push = 0.0, point = 0.0;
    constexpr int samples = 5000;
    for (int s = 0; s < samples; ++s) {
        at_rest->advance(10);
        const auto contacts = at_rest->contacts();
        REQUIRE(contacts.size() == 1);
        pull += contacts[0].tangential_force.x / samples;
        push += contacts[0].normal_force.z / samples;
        point += contacts[0].point.x / samples;
    }
    CHECK(std::abs(at_rest->displacement()[0].x - place) < 0.3e-3);  // sliding freely: 0.24 m
    const double weight = still.mass[0] * 9.81;
    MESSAGE("means ", pull / weight, " ", push / weight, " ", point, " ",
            at_rest->displacement()[0].x - place);
    CHECK_RELATIVE(std::abs(pull), weight * std::sin(holds), 1e-2);
    CHECK_RELATIVE(std::abs(push), weight * std::cos(holds), 1e-2);
    // The weight acts within the face: the mean point is down the slope by half the edge times its
    // tangent.
    CHECK_RELATIVE(point, half * std::tan(holds), 5e-2);

    const Packing steep = cube_on_slope(slides);
    const auto whole = make_packing_engine(steep, 1e-5, 1);
    whole->advance(20000);
    const SavedPacking middle = saved(*whole);
    const double before = whole->velocity()[0].x;
    whole->advance(20000);
    const double acceleration = 9.81 * (std::sin(slides) - 0.3 * std::cos(slides));
    CHECK_RELATIVE(whole->velocity()[0].x - before, 0.2 * acceleration, 1e-2);
    const auto rest = make_packing_engine(steep, 1e-5, 1);
    restore(*rest, 20000, middle);
    rest->advance(20000);
    CHECK(saved(*rest) == saved(*whole));
}

TEST_CASE("laws that need a radius have a bounded one on faces, and the run counts them") {
    Packing p = cubes("hertz");
    p.walls.push_back({});
    Body body = cube({0.0, 0.0, half});
    body.velocity = {0.0, 0.0, -0.1};
    add_body(p, body);
    // Hertz's collision with 10 times the largest reach of the cube, 3^(1/4) of its half edge, as
    // the radius: it is over after 2.9432 times the largest overlap over the speed.
    const double radius = 10.0 * std::pow(3.0, 0.25) * half, speed = 0.1;
    const laws::Elasticity& glass = p.species_list[0].elasticity;
    const double K = 4.0 / 3.0 * laws::effective_modulus(glass, glass) * std::sqrt(radius);
    const double deepest = std::pow(1.25 * body.mass * speed * speed / K, 0.4);
    const double time = 2.9432 * deepest / speed;
    const double dt = time / 2000.0;
    const auto engine = make_packing_engine(p, dt, 1);
    const int steps = steps_in_contact(*engine, 4000);
    CHECK(engine->flat_contacts() == 1);
    CHECK_RELATIVE(engine->velocity()[0].z, speed, 1e-5);
    CHECK(std::abs(steps - 2000) <= 2);
    // A ball on the same face is Hertz's own case: no bound, no count.
    const packing::FlatEllipse ball =
        packing::ellipse_of_gap({.larger = 500.0, .smaller = 500.0, .direction = {}}, 2e-3);
    CHECK_FALSE(ball.bounded);
    CHECK_RELATIVE(ball.ellipse.equivalent_radius, 2e-3, 1e-12);
    const packing::FlatEllipse faces =
        packing::ellipse_of_gap({.larger = 0.0, .smaller = 0.0, .direction = {}}, 2e-3);
    CHECK(faces.bounded);
    CHECK_RELATIVE(faces.ellipse.equivalent_radius, 20e-3, 1e-12);
    // Contact and punch are as stiff as each other where the overlap is a tenth of the size.
    const double size = 2e-3, overlap = 0.1 * size;
    CHECK_RELATIVE(2.0 * std::sqrt(faces.ellipse.equivalent_radius * overlap), 2.0 * size, 1e-12);
}

TEST_CASE("which laws need a radius is found from their forces") {
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    const auto needs = [&](const std::string& law, laws::FrictionLaw friction, double k) {
        packing::PairSettings settings{
            .species = {}, .law = law_settings(law), .friction = {}, .rolling = {}};
        if (k > 0.0) settings.law.values.insert_or_assign("stiffness", k);
        settings.friction = {.law = friction, .coefficient = 0.3, .stiffness = 1e3};
        return packing::needs_radius(1e-3, 1e-3, settings, glass, glass);
    };
    CHECK(needs("hertz", laws::FrictionLaw::none, 0.0));
    CHECK(needs("tsuji", laws::FrictionLaw::linear, 0.0));
    CHECK_FALSE(needs("hooke", laws::FrictionLaw::none, 1e4));
    CHECK_FALSE(needs("hooke", laws::FrictionLaw::linear, 1e4));
    CHECK_FALSE(needs("kelvin-voigt", laws::FrictionLaw::linear, 1e4));
    CHECK(needs("hooke", laws::FrictionLaw::mindlin, 1e4));
    packing::PairSettings rolls{.species = {},
                                .law = law_settings("hooke", {{"stiffness", 1e4}}),
                                .friction = {},
                                .rolling = {.coefficient = 0.1}};
    CHECK(packing::needs_radius(1e-3, 1e-3, rolls, glass, glass));
}

}  // namespace
}  // namespace beadwave::validation::flat_places_test
