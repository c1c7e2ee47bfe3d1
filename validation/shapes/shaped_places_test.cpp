// Ellipsoids across the edges of a periodic box, on walls that move, held in place, and pushed from
// outside.
#include "largest.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace beadwave::validation::shaped_places_test {
namespace {

using namespace shapes;
using packing::make_packing_engine;
using packing::Packing;

/// Two that will meet, the second a ball or not.
Packing two_bodies(bool ball) {
    Packing p = shaped_packing(1e9, "tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    Body a = solid({{3e-3, 2e-3, 1.5e-3}, {0.5e-3, 1e-3, 1e-3}, normalised({0.3, -0.5, 0.7, 0.1})},
                   2500.0);
    Body b = solid({{2e-3, ball ? 2e-3 : 1e-3, 2e-3},
                    {5.2e-3, 1.6e-3, 0.7e-3},
                    normalised({0.1, 0.5, 0.2, 0.4})},
                   2500.0);
    a.velocity = {0.5, 0.1, 0.0};
    b.velocity = {-0.6, 0.0, 0.1};
    set_spin(a, {100.0, 50.0, -80.0});
    set_spin(b, {-20.0, 150.0, 30.0});
    add_body(p, a);
    add_body(p, b);
    return p;
}

TEST_CASE("ellipsoids meet across the edge of a periodic box as they do within it") {
    for (const bool ball : {false, true}) {
        const Packing inside = two_bodies(ball);
        Packing across = inside;
        across.box = {.lower = {}, .upper = {16e-3, 0.0, 14e-3}, .periodic = {true, false, true}};
        across.position[1] += Vector{-32e-3, 0.0, 14e-3};
        const auto a = make_packing_engine(inside, 2e-7, 1),
                   b = make_packing_engine(across, 2e-7, 1);
        advance_until_apart(*a, 100'000);
        b->advance(a->step());
        CHECK(a->totals().dissipated_tangential > 0.0);
        CHECK(largest_difference(a->velocity(), b->velocity()) < 1e-11);
        CHECK(largest_difference(a->angular_velocity(), b->angular_velocity()) < 1e-11);
        CHECK(length(b->totals().momentum - a->totals().momentum) < 1e-18);
    }
}

TEST_CASE("momentum and angular momentum of two ellipsoids stay with friction and loss") {
    for (const bool ball : {false, true}) {
        const Packing p = two_bodies(ball);
        const auto engine = make_packing_engine(p, 2e-7, 1);
        const packing::PackingTotals before = engine->totals();
        advance_until_apart(*engine, 100'000);
        const packing::PackingTotals now = engine->totals();
        CHECK(now.dissipated_normal > 0.0);
        CHECK(now.dissipated_tangential > 0.0);
        CHECK(length(now.momentum - before.momentum) < 1e-12 * p.mass[0] * 0.5);
        CHECK(length(now.angular_momentum - before.angular_momentum) <
              1e-12 * p.mass[0] * 0.5 * 3e-3);
        CHECK_RELATIVE(energy_of(now), energy_of(before), 1e-6);
    }
}

TEST_CASE("a wall that moves towards an ellipsoid is one that it moves towards") {
    Packing still = two_bodies(false);
    still.walls.push_back({.shape = packing::Plane{{0.0, 0.0, -3e-3}, {0.0, 0.6, 0.8}}});
    Packing moving = still;
    const Vector drift{0.2, -0.3, -0.7};
    for (std::size_t i = 0; i < still.particles(); ++i)
        still.velocity[i] += drift;
    moving.walls[0].velocity = -drift;
    const auto a = make_packing_engine(still, 2e-7, 1), b = make_packing_engine(moving, 2e-7, 1);
    std::vector<Vector> relative;
    a->advance(30'000);
    b->advance(30'000);
    for (const Vector& v : b->velocity())
        relative.push_back(v + drift);
    CHECK(a->totals().dissipated_tangential > 0.0);
    CHECK(std::abs(b->totals().external_work) > 0.0);
    CHECK(largest_difference(relative, a->velocity()) < 1e-9);
    CHECK(largest_difference(b->angular_velocity(), a->angular_velocity()) < 1e-9);
    CHECK_RELATIVE(energy_of(b->totals()),
                   energy_of(make_packing_engine(moving, 2e-7, 1)->totals()), 1e-5);
}

TEST_CASE("an ellipsoid that is held stays, as if infinitely heavy") {
    Packing p = two_bodies(false);
    p.velocity[1] = p.angular_velocity[1] = {};
    Packing heavy = p;
    p.fixed = {0, 1};
    heavy.mass[1] *= 1e12;
    const auto held = make_packing_engine(p, 2e-7, 1), other = make_packing_engine(heavy, 2e-7, 1);
    held->advance(40'000);
    other->advance(40'000);
    CHECK(held->totals().dissipated_normal > 0.0);
    CHECK(held->displacement()[1] == Vector{});
    CHECK(held->angular_velocity()[1] == Vector{});
    CHECK(held->orientation()[1] == normalised(p.orientation[1]));
    CHECK(length(held->velocity()[0] - other->velocity()[0]) < 1e-9);
    CHECK(length(held->angular_velocity()[0] - other->angular_velocity()[0]) < 1e-6);
}

TEST_CASE("an external force on an ellipsoid accelerates its centre alone") {
    Packing p = two_bodies(false);
    p.position[1].x += 1.0;
    const auto engine = make_packing_engine(p, 1e-5, 1);
    const Vector spin = engine->totals().angular_momentum;
    const std::vector<stepping::BodyForce<packing::Vec3>> force{{0, {1e-3, 2e-3, 0.0}}};
    for (int s = 0; s < 100; ++s) {
        engine->kick(force, stepping::HalfStep::first);
        engine->advance(1);
        engine->kick(force, stepping::HalfStep::second);
    }
    CHECK_RELATIVE(engine->velocity()[0].x, 0.5 + 1e-3 * 1e-3 / p.mass[0], 1e-12);
    CHECK_RELATIVE(engine->displacement()[0].x, 0.5e-3 + 0.5 * 1e-3 / p.mass[0] * 1e-6, 1e-12);
    engine->set_velocities(0, {1.0, 2.0, 3.0}, {4.0, 5.0, 6.0});
    CHECK(engine->velocity()[0] == Vector{1.0, 2.0, 3.0});
    CHECK(length(engine->angular_velocity()[0] - Vector{4.0, 5.0, 6.0}) < 1e-14);
    CHECK(length(spin) > 0.0);
}

TEST_CASE("contacts of ellipsoids: forces add up, and act where both bodies are") {
    Packing p = two_bodies(false);
    p.walls.push_back({.shape = packing::Plane{{0.0, 0.0, -1.4e-3}, {0.0, 0.0, 1.0}}});
    const auto engine = make_packing_engine(p, 2e-7, 1);
    packing::ParticleTrace trace{.particles = {0, 1}, .force = {}, .velocity = {}};
    int met = 0;
    Largest sums, heights, branches;
    for (int s = 0; s < 15'000; ++s) {
        engine->advance(1, trace);
        Vector on[2]{};
        for (const packing::ContactState& c : engine->contacts()) {
            const Vector force = c.normal_force + c.tangential_force;
            on[c.first] += force;
            const auto now = [&](std::size_t i) {
                return p.position[i] + engine->displacement()[i];
            };
            if (c.second == 2) {
                heights.enter(std::abs((now(c.first) + c.point).z + 1.4e-3));
                branches.enter(length(c.branch - c.point));
                continue;
            }
            ++met;
            on[c.second] -= force;
            branches.enter(length(c.branch - (now(1) - now(0))));
        }
        for (std::size_t i : {0u, 1u})
            sums.enter(length(on[i] - trace.force[i]));
    }
    CHECK(met > 50);
    CHECK(sums < 1e-12);
    CHECK(heights < 1e-17);
    CHECK(branches < 1e-16);
    CHECK(engine->stability_limits(1e-3).frequency >= 0.0);
}

TEST_CASE("a state of ellipsoids that is not finite is found") {
    const auto engine = make_packing_engine(two_bodies(false), 2e-7, 1);
    CHECK_FALSE(engine->first_non_finite().has_value());
    engine->set_velocities(1, {std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0}, {});
    engine->advance(3);
    REQUIRE(engine->first_non_finite().has_value());
    CHECK(*engine->first_non_finite() <= 1);
}

}  // namespace
}  // namespace beadwave::validation::shaped_places_test
