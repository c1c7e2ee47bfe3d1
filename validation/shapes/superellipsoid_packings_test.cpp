// Superellipsoids in packings: one impact against the adaptive integration of it, what many keep,
// exponents of 2, and interrupted runs.
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "packing/shaped/flat_places.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"
#include "shapes/impact.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace beadwave::validation::superellipsoid_packings_test {
namespace {

using namespace shapes;
using packing::make_packing_engine;
using packing::Packing;

/// A curved place: Hertz's contact is that of the curvatures, without a bound.
bool is_curved(const Curvatures& relative, double size) {
    return relative.smaller * size > 1.0 / packing::largest_flat_radius;
}

TEST_CASE("two superellipsoids that meet eccentrically part as the integration of their impact") {
    RandomNumbers random(5);
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    Largest speeds, turns, energies;
    int impacts = 0;
    for (int i = 0; i < 40 && impacts < 4; ++i) {
        Body a = solid(random_superellipsoid(random, 2.0), 2500.0),
             b = solid(random_superellipsoid(random, 2.0), 7800.0);
        const Vector way = random.direction();
        a.velocity = random.direction();
        b.velocity = a.velocity - 1.5 * way;
        set_spin(a, 200.0 * random.direction());
        set_spin(b, 100.0 * random.direction());
        b.shape.centre = 0.02 * way + 0.2e-3 * random.direction();
        Pair pair{.first = a, .second = b};
        fly_to_touch(pair);
        const CommonNormal touch = common_normal(pair.first.shape, pair.other()->shape);
        if (!is_curved(touch.relative, std::min(farthest(a.shape), farthest(b.shape)))) continue;
        ++impacts;
        const laws::AnyLaw law = laws::Hertz<double>{
            .stiffness = laws::hertz_stiffness(laws::effective_modulus(glass, glass),
                                               ellipse(touch).equivalent_radius)};
        fly(pair.first, -1e-6);
        fly(*pair.other(), -1e-6);
        const Body start_a = pair.first, start_b = *pair.other();
        Packing p = shaped_packing(70e9);
        add_body(p, start_a);
        add_body(p, start_b);
        REQUIRE(packing::validate(p).empty());
        fly_to_touch(pair);
        const Impact hit = collide(pair, law);
        const auto engine = make_packing_engine(p, hit.duration / 2000, 1);
        const packing::PackingTotals before = engine->totals();
        advance_until_apart(*engine, 8000);
        const packing::PackingTotals now = engine->totals();
        CHECK(engine->flat_contacts() == 0);
        const Body ours_a = body_now(start_a, *engine, 0), ours_b = body_now(start_b, *engine, 1);
        speeds.enter(length(ours_a.velocity - pair.first.velocity),
                     length(ours_b.velocity - pair.other()->velocity));
        const auto turn = [](const Body& ours, const Body& exact) {
            const Vector L = to_space(exact.shape.orientation, exact.momentum);
            return length(to_space(ours.shape.orientation, ours.momentum) - L) / length(L);
        };
        turns.enter(turn(ours_a, pair.first), turn(ours_b, *pair.other()));
        energies.enter(std::abs((now.translational + now.rotational) /
                                    (before.translational + before.rotational) -
                                1.0));
    }
    CHECK(impacts == 4);
    MESSAGE(double(speeds), " ", double(turns), " ", double(energies));
    CHECK(speeds < 1e-5);
    CHECK(turns < 1e-5);
    CHECK(energies < 1e-6);
}

TEST_CASE("a superellipsoid rebounds from a wall as the integration of its impact says") {
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    Body a = solid({{.semi_axes = {4e-3, 3e-3, 2e-3},
                     .centre = {0.0, 0.0, 6e-3},
                     .orientation = normalised({0.8, 0.4, 0.4, 0.2})},
                    {.plane = 3.0, .axis = 4.0}},
                   2500.0);
    a.velocity = {0.0, 0.0, -1.0};
    Pair pair{.first = a, .second = HalfSpace{{0.0, 0.0, 1.0}, 0.0}};
    fly_to_touch(pair);
    const PlaneContact touch = contact(pair.first.shape, HalfSpace{{0.0, 0.0, 1.0}, 0.0});
    REQUIRE(is_curved(touch.curvatures, farthest(a.shape)));
    const laws::AnyLaw law = laws::Hertz<double>{
        .stiffness = laws::hertz_stiffness(laws::effective_modulus(glass, glass),
                                           ellipse(touch).equivalent_radius)};
    fly(pair.first, -1e-6);
    const Body start = pair.first;
    Packing p = shaped_packing(70e9);
    p.walls.push_back({});
    add_body(p, start);
    fly_to_touch(pair);
    const Impact hit = collide(pair, law);
    const auto engine = make_packing_engine(p, hit.duration / 2000, 1);
    advance_until_apart(*engine, 8000);
    const Body now = body_now(start, *engine, 0);
    const double speed = length(now.velocity - pair.first.velocity);
    const Vector L = to_space(pair.first.shape.orientation, pair.first.momentum);
    const double turn = length(to_space(now.shape.orientation, now.momentum) - L) / length(L);
    MESSAGE(speed, " ", turn);
    CHECK(speed < 1e-5);
    CHECK(turn < 1e-5);
    // In closed form, for an impact that turns the body by nothing: 2 m v / (1 + m l.I^-1.l).
    const Vector lever =
        to_body(start.shape.orientation,
                cross(touch.point - pair.first.shape.centre, Vector{0.0, 0.0, 1.0}));
    const Vector& I = start.moments;
    const double mobility = 1.0 / start.mass + lever.x * lever.x / I.x + lever.y * lever.y / I.y +
                            lever.z * lever.z / I.z;
    CHECK_RELATIVE(now.velocity.z - start.velocity.z, 2.0 / (start.mass * mobility), 1e-2);
}

/// Bodies of many shapes that fly towards their middle.
Packing swarm(const std::string& law, bool periodic) {
    RandomNumbers random(8);
    Packing p = shaped_packing(1e9, law);
    constexpr int side = 3;
    constexpr double pitch = 4.2e-3;
    for (int i = 0; i < side * side * side; ++i) {
        const Vector cell{i % side * 1.0, i / side % side * 1.0, i / side / side * 1.0};
        Body body = solid(random_superellipsoid(random, 1.5), 2500.0);
        body.shape.centre = pitch * (cell + Vector{0.5, 0.5, 0.5});
        const Vector inwards = 0.5 * side * pitch * Vector{1.0, 1.0, 1.0} - body.shape.centre;
        body.velocity = 2.0 * random.direction() + (periodic ? 0.0 : 300.0) * inwards;
        set_spin(body, 300.0 * random.direction());
        add_body(p, body);
    }
    if (periodic) {
        constexpr double edge = side * pitch;
        p.box = {.lower = {}, .upper = {edge, edge, edge}, .periodic = {true, true, true}};
    }
    return p;
}

TEST_CASE("superellipsoids that collide in a periodic box keep their energy and momentum" *
          doctest::skip(sanitised)) {
    // A linear spring: flat contacts, too, have no part that the step does not resolve.
    Packing p = swarm("hooke", true);
    p.law.values.insert_or_assign("stiffness", 1e4);
    REQUIRE(packing::validate(p).empty());
    const auto engine = make_packing_engine(p, 1e-7, 1);
    const packing::PackingTotals start = engine->totals();
    Largest error, momentum;
    std::size_t met = 0;
    for (int s = 0; s < 20; ++s) {
        engine->advance(1500);
        met += engine->closed_contacts();
        const packing::PackingTotals t = engine->totals();
        error.enter(std::abs(energy_of(t) / energy_of(start) - 1.0));
        momentum.enter(length(t.momentum - start.momentum));
    }
    MESSAGE(double(error), " ", met);
    CHECK(met > 10);
    CHECK(error < 1e-6);
    CHECK(momentum < 1e-15);
    CHECK(engine->flat_contacts() == 0);  // none needs a radius
}

TEST_CASE("superellipsoids that meet in free space keep their angular momentum") {
    const Packing p = swarm("hertz", false);
    const auto engine = make_packing_engine(p, 2e-7, 1);
    const packing::PackingTotals start = engine->totals();
    std::size_t met = 0;
    for (int s = 0; s < 10; ++s) {
        engine->advance(1000);
        met += engine->closed_contacts();
    }
    CHECK(met > 5);
    const packing::PackingTotals end = engine->totals();
    const double change = length(end.angular_momentum - start.angular_momentum);
    MESSAGE(change, " of ", length(start.angular_momentum), ", energy ",
            energy_of(end) / energy_of(start) - 1.0, ", ", engine->flat_contacts());
    CHECK(change < 1e-12 * length(start.angular_momentum));
}

TEST_CASE("exponents of 2 are ellipsoids, to the bit") {
    RandomNumbers random(2);
    Packing p = shaped_packing(1e8, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.walls.push_back({});
    for (int i = 0; i < 4; ++i) {
        Body body = solid(random.ellipsoid(2.0), 2500.0);
        body.shape.centre = {0.3e-3 * i, 0.0, 2.1e-3 + 4.1e-3 * i};
        body.velocity = {0.0, 0.0, -1.0 - 0.3 * i};
        set_spin(body, 100.0 * random.direction());
        add_body(p, body);
    }
    Packing two = p;
    two.exponents.resize(p.particles());
    REQUIRE(packing::validate(two).empty());
    const auto plain = make_packing_engine(p, 1e-6, 1), with = make_packing_engine(two, 1e-6, 1);
    plain->advance(4000);
    with->advance(4000);
    CHECK(plain->displacement() == with->displacement());
    CHECK(plain->angular_velocity() == with->angular_velocity());
    SavedPacking state = saved(*with);
    CHECK(state.erase("flat_contacts") == 1);
    CHECK(state == saved(*plain));
}

TEST_CASE("superellipsoids with friction run to the same bits after an interruption") {
    Packing p = swarm("tsuji", true);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.gravity = {0.0, 0.0, -9.81};
    const auto whole = make_packing_engine(p, 5e-7, 1);
    whole->advance(2500);
    for (int s = 0; s < 2500 && whole->closed_contacts() == 0; ++s)
        whole->advance(1);
    REQUIRE(whole->closed_contacts() > 0);
    const std::int64_t step = whole->step();
    const SavedPacking half = saved(*whole);
    whole->advance(500);
    const auto rest = make_packing_engine(p, 5e-7, 1);
    restore(*rest, step, half);
    CHECK(saved(*rest) == half);
    rest->advance(500);
    CHECK(saved(*rest) == saved(*whole));
    CHECK(rest->flat_contacts() == whole->flat_contacts());
}

TEST_CASE("what is wrong with superellipsoids in a packing is said") {
    const Body body =
        solid({{.semi_axes = {2e-3, 2e-3, 2e-3}}, {.plane = 4.0, .axis = 4.0}}, 2500.0);
    Packing p = shaped_packing(1e9);
    add_body(p, body);
    CHECK(packing::validate(p).empty());
    CHECK_RELATIVE(p.solid(0) * 2500.0, p.mass[0], 1e-14);
    Packing wrong = p;
    wrong.radius[0] = 2e-3;
    CHECK(packing::validate(wrong) ==
          "particle 0: radius 0.002 m; expected the largest distance of a point of the "
          "superellipsoid from its centre, 0.00263215 m");
    wrong = p;
    wrong.exponents[0].axis = 9.0;
    CHECK(packing::validate(wrong) == "particle 0: an exponent is 9; expected 2 to 8");
    wrong = p;
    wrong.exponents.emplace_back();
    CHECK(packing::validate(wrong) == "exponents: expected one pair per particle, or none");
    wrong = p;
    wrong.walls.push_back({.shape = packing::Revolved::cylinder({}, {0, 0, 1}, 0.1)});
    CHECK(packing::validate(wrong).empty());
    wrong.law = law_settings("walton-braun");
    wrong.species_list[0].elasticity.yield_stress = 1e6;
    CHECK(packing::validate(wrong) ==
          "wall 0: is a cylinder, which a superellipsoid touches at several points, and the law "
          "\"walton-braun\" remembers each contact; expected a law that depends on overlap and "
          "approach speed alone");
    wrong.law = p.law;
    for (const packing::Revolved& curved :
         {packing::Revolved::cylinder({}, {0, 0, 1}, 0.1, 0.2),
          packing::Revolved::disc({0, 0, -0.01}, {0, 0, 1}, 0.1)}) {
        wrong.walls[0].shape = curved;
        CHECK(packing::validate(wrong) ==
              "wall 0: is curved and ends; expected planes, meshes and cylinders without ends "
              "around superellipsoids, or ellipsoids and clumps on it");
    }
}

}  // namespace
}  // namespace beadwave::validation::superellipsoid_packings_test
