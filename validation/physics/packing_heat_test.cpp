// Heat of a packing: conduction against closed forms and plain integration, what friction warms,
// the balance with what contacts dissipated, and on from a saved state.

#include "beadwave/stepping/drive.hpp"
#include "meshes.hpp"
#include "packing/heat/heat.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace beadwave::validation::packing_heat_test {
namespace {

constexpr double radius = 5e-3, gravity = 9.81;

packing::PackingEngine followed(const packing::Packing& p, double dt, bool triangles = false) {
    const auto engine =
        packing::make_plain_packing_engine(p, dt, packing::ContactRecords::dissipation);
    engine->follow_dissipation(p, triangles);
    return std::move(*engine);
}

/// All particles alike.
void warm(packing::Packing& p, double start, double specific_heat, double conductivity,
          std::optional<double> wall = {}) {
    const std::size_t n = p.particles();
    p.heat = packing::HeatBodies{
        .start = std::vector<double>(n, start),
        .specific_heat = std::vector<double>(n, specific_heat),
        .conductivity = std::vector<double>(n, conductivity),
        .walls = std::vector<packing::WarmWall>(p.walls.size(), {wall, conductivity})};
}

/// The overlap of steel bodies with this effective radius under a force.
double overlap_under(double force, double effective_radius) {
    const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    return std::pow(0.75 * force / (modulus * std::sqrt(effective_radius)), 2.0 / 3.0);
}

/// A column at rest under its weight; the lowest sphere is fixed.
packing::Packing column(int spheres) {
    packing::Packing p = steel_packing("hertz");
    p.gravity = {0, 0, -gravity};
    double height = 0.0;
    for (int i = 0; i < spheres; ++i) {
        p.add(radius, steel_mass(radius), {0, 0, height});
        const double weight = (spheres - 1 - i) * steel_mass(radius) * gravity;
        height += 2.0 * radius - overlap_under(weight, 0.5 * radius);
    }
    p.fixed.assign(p.particles(), 0);
    p.fixed[0] = 1;
    return p;
}

double conductance(double k, double effective_radius, double overlap) {
    return 2.0 * k * std::sqrt(effective_radius * overlap);
}

}  // namespace

TEST_CASE("two spheres pressed together take one temperature, exponentially") {
    // Heun's step: (rate dt)^2 / 6 of rate t, here 1.7e-7.
    packing::Packing p = column(2);
    warm(p, 300.0, 2e-3, 50.0);
    p.heat->start[1] = 400.0;
    p.heat->specific_heat[1] = 3e-3;
    p.heat->conductivity[1] = 20.0;
    const double m = steel_mass(radius), first = m * 2e-3, second = m * 3e-3;
    const double k = 2.0 / (1.0 / 50.0 + 1.0 / 20.0);
    const double g = conductance(k, 0.5 * radius, overlap_under(m * gravity, 0.5 * radius));
    const double rate = g * (1.0 / first + 1.0 / second), dt = 1e-3 / rate;
    REQUIRE(dt < 1e-5);  // short for the contact too
    auto engine = followed(p, dt);
    engine.advance(1000);
    const packing::Heat& heat = *engine.heat();
    CHECK_RELATIVE(heat.temperature(1) - heat.temperature(0), 100.0 * std::exp(-1.0), 1e-6);
    const double mean = (300.0 * first + 400.0 * second) / (first + second);
    CHECK_RELATIVE((first * heat.temperature(0) + second * heat.temperature(1)) / (first + second),
                   mean, 1e-15);
    CHECK_RELATIVE(heat.fastest(), g / first, 1e-6);
    CHECK(heat.totals(engine.population(), 0.0).error() == 0.0);
}

TEST_CASE("heat runs up a column of spheres as through a chain of conductances") {
    constexpr int n = 6;
    packing::Packing p = column(n);
    warm(p, 300.0, 2e-3, 50.0);
    p.heat->start[0] = 500.0;
    const double m = steel_mass(radius), capacity = m * 2e-3;
    std::array<double, n - 1> g{};
    for (int i = 0; i + 1 < n; ++i)
        g[i] =
            conductance(50.0, 0.5 * radius, overlap_under((n - 1 - i) * m * gravity, 0.5 * radius));
    const double dt = 5e-4 * capacity / g[0];
    constexpr int steps = 4000;
    auto engine = followed(p, dt);
    engine.advance(steps);
    // Runge and Kutta, with steps ten times as long: far below the tolerance.
    using State = std::array<double, n>;
    State t{};
    t[0] = 200.0;
    const auto slope = [&](const State& at) {
        State rate{};
        for (int i = 0; i + 1 < n; ++i) {
            const double flow = g[i] * (at[i + 1] - at[i]) / capacity;
            rate[i] += flow, rate[i + 1] -= flow;
        }
        return rate;
    };
    const auto moved = [](const State& at, const State& rate, double by) {
        State then = at;
        for (int i = 0; i < n; ++i)
            then[i] += by * rate[i];
        return then;
    };
    for (int s = 0; s < steps / 10; ++s) {
        const double h = 10.0 * dt;
        const State a = slope(t), b = slope(moved(t, a, 0.5 * h)), c = slope(moved(t, b, 0.5 * h)),
                    d = slope(moved(t, c, h));
        for (int i = 0; i < n; ++i)
            t[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    }
    CHECK(t[5] > 1.0);
    // Of Heun's step 1e-7, of the overlaps at rest 1e-6 and less.
    for (int i = 0; i < n; ++i)
        CHECK_ABSOLUTE(engine.heat()->temperature(static_cast<std::size_t>(i)), 300.0 + t[i], 2e-4);
}

TEST_CASE("a sphere on a wall of a fixed temperature takes this, on an insulated one none") {
    for (const bool triangles : {false, true}) {
        for (const bool insulated : {false, true}) {
            CAPTURE(triangles);
            CAPTURE(insulated);
            packing::Packing p = steel_packing("hertz");
            p.gravity = {0, 0, -gravity};
            const double m = steel_mass(radius), overlap = overlap_under(m * gravity, radius);
            p.add(radius, m, {1e-4, 2e-4, radius - overlap});
            packing::Wall floor;
            if (triangles)
                floor.shape =
                    mesh_of(plate({-0.0183, -0.0181, 0}, {0.036, 0, 0}, {0, 0.0362, 0}, 3));
            p.walls.push_back(floor);
            warm(p, 300.0, 2e-3, 50.0, insulated ? std::optional<double>{} : 350.0);
            const double rate = conductance(50.0, radius, overlap) / (m * 2e-3), dt = 1e-3 / rate;
            auto engine = followed(p, dt);
            engine.advance(1500);
            const double rise = engine.heat()->temperature(0) - 300.0;
            const double expected = insulated ? 0.0 : 50.0 * (1.0 - std::exp(-1.5));
            CHECK_ABSOLUTE(rise, expected, 1e-6 * 50.0);
            CHECK_ABSOLUTE(engine.heat()->into_walls()[0], -m * 2e-3 * rise, 1e-14 * m);
        }
    }
}

TEST_CASE("friction warms a held sphere by half of its work, by all of it on insulated walls") {
    // Until the spring is stretched friction is below its limit: 1e-4 of the way.
    constexpr double overlap = 2e-6, friction = 0.2, way = 4e-3, dt = 1e-6;
    for (const bool insulated : {false, true}) {
        CAPTURE(insulated);
        packing::Packing p = steel_packing("hertz");
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = friction};
        p.add(radius, steel_mass(radius), {0, 0, radius - overlap});
        const stepping::Drive held = stepping::Drive::steady(0.0);
        p.elements.motions = {{.along = {held, held, held}}};
        p.elements.driven = {{.particle = 0, .motion = 0}};
        packing::Wall moving;
        moving.velocity = {2.0, 0, 0};
        p.walls.push_back(moving);
        warm(p, 300.0, 450.0, 0.0, insulated ? std::optional<double>{} : 300.0);
        auto engine = followed(p, dt);
        engine.advance(2000);
        const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
        const double force = 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(overlap, 1.5);
        const double work = friction * force * way, part = insulated ? 1.0 : 0.5;
        const double heat = steel_mass(radius) * 450.0 * engine.heat()->adiabatic_rise(0);
        CHECK_RELATIVE(heat, part * work, 3e-4);
        CHECK_RELATIVE(heat, part * engine.dissipation()[0].parts.sum(), 1e-13);
        CHECK(engine.heat()->temperature(0) == 300.0 + engine.heat()->adiabatic_rise(0));
        CHECK_RELATIVE(engine.heat()->into_walls()[0] + heat, engine.dissipation()[0].parts.sum(),
                       1e-13);
    }
}

namespace {

/// Soft spheres of two sizes that fall on a rough floor, under a load that varies in time.
packing::Packing dropped() {
    packing::Packing p = soft_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.4}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling.coefficient = 0.1;
    for (int i = 0; i < 18; ++i) {
        const double r = i % 3 == 0 ? 1.6e-3 : 2e-3;
        p.add(r, steel_mass(r),
              {4.1e-3 * (i % 3) + 1e-4 * i, 4.1e-3 * (i / 3 % 3), 2.1e-3 + 4.2e-3 * (i / 9)});
        p.velocity.back() = {0.1 * (i % 5 - 2), 0.07 * (i % 4), -0.3};
    }
    p.elements.forces.push_back({});
    p.elements.forces.back()[0] = stepping::ForceSignal::sine(200.0, 0.02);
    p.elements.loads.push_back({.particle = 4, .force = 0});
    return p;
}

/// Rounding is that of the largest heat that flows back and forth.
void check_balance(const packing::PackingEngine& engine, double exchanged = 0.0) {
    double dissipated = 0.0;
    for (const packing::ContactDissipation& each : engine.dissipation())
        dissipated += each.parts.sum();
    const packing::PackingTotals t = engine.totals();
    REQUIRE(dissipated > 1e-6);
    CHECK_RELATIVE(dissipated, t.dissipated_normal + t.dissipated_tangential, 1e-12);
    const packing::HeatTotals heat = engine.heat()->totals(engine.population(), dissipated);
    CHECK_ABSOLUTE(heat.error(), 0.0, 1e-12 * std::max(dissipated, exchanged));
}

}  // namespace

TEST_CASE("what particles and walls got of heat is what contacts dissipated") {
    for (const bool strains : {false, true}) {
        CAPTURE(strains);
        packing::Packing p = dropped();
        if (strains) {
            p.gravity = {};
            p.elements = {};
            p.box.upper = {0.0125, 0.0125, 0.0125};
            p.box.periodic = {true, true, true};
            p.box.strain =
                packing::Straining{.rate = {-1.0, -1.0, -2.0}, .shear_rate = {5.0, 0, 0}};
        } else {
            packing::Wall floor;
            floor.shape = mesh_of(plate({-0.02, -0.02, 0}, {0.05, 0, 0}, {0, 0.05, 0}, 5));
            floor.velocity = {0.2, 0, 0};
            p.walls.push_back(floor);
            p.walls.push_back(
                {.shape = packing::Plane{.point = {-2.1e-3, 0, 0}, .normal = {1, 0, 0}}});
        }
        warm(p, 300.0, 450.0, 20.0, 310.0);
        if (!strains) p.heat->walls[1].temperature.reset();
        constexpr double dt = 2e-6;
        auto engine = followed(p, dt, !strains);
        engine.advance(4000);
        const SavedPacking middle = saved(engine);
        engine.advance(4000);
        CHECK(engine.neighbour_list_builds() > 2);
        check_balance(engine);
        auto resumed = followed(p, dt, !strains);
        restore(resumed, 4000, middle);
        resumed.advance(4000);
        CHECK(resumed.heat()->temperatures() == engine.heat()->temperatures());
        CHECK(resumed.heat()->into_walls() == engine.heat()->into_walls());
        CHECK(saved(resumed) == saved(engine));
        SavedPacking damaged = middle;
        damaged["heat"].push_back(0.0);
        auto refused = followed(p, dt, !strains);
        CHECK_THROWS_WITH(restore(refused, 4000, damaged),
                          "heat: these are not the heats of this packing");
        if (strains) continue;
        // A wall has half of its contacts' dissipation, its triangles have this.
        double wall = 0.0, triangles = 0.0;
        for (const packing::ContactDissipation& each : engine.dissipation())
            if (each.second == p.particles()) wall += 0.5 * each.parts.sum();
        std::size_t touched = 0;
        for (const double energy : engine.triangle_dissipation()) {
            triangles += energy;
            touched += energy != 0.0 ? 1 : 0;
        }
        CHECK(engine.triangle_dissipation().size() == 50);
        CHECK(touched > 3);
        CHECK_RELATIVE(triangles, wall, 1e-13);
    }
}

TEST_CASE("particles bring their temperature with them and take their heat away") {
    packing::Packing p = soft_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.4}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    constexpr double r = 2e-3;
    const double half = add_leaky_floor(p, r);
    const std::size_t fixed = p.particles();
    add_pour(p, 12, r, {.lower = {-half, -half, 6 * r}, .upper = {half, half, 9 * r}}, 600.0,
             {0, 0, -0.5});
    p.fixed.resize(p.particles(), 0);
    p.exits.push_back({.place = packing::Plane{.point = {0, 0, -3 * r}, .normal = {0, 0, 1}}});
    warm(p, 300.0, 450.0, 15.0);
    for (std::size_t i = fixed; i < p.particles(); ++i)
        p.heat->start[i] = 400.0;
    auto engine = followed(p, 5e-6);
    engine.advance(1000);
    const packing::Population& population = engine.population();
    REQUIRE(population.count(packing::Presence::waiting) > 0);
    CHECK(engine.heat()->temperature(p.particles() - 1) == 400.0);  // it waits
    engine.advance(29000);
    REQUIRE(population.count(packing::Presence::left) > 3);
    const packing::HeatTotals heat = engine.heat()->totals(population, 0.0);
    double taken = 0.0, exchanged = 0.0;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double gained =
            p.mass[i] * 450.0 * (engine.heat()->temperature(i) - p.heat->start[i]);
        exchanged += std::abs(gained);
        if (population.presence(i) == packing::Presence::left) taken += gained;
    }
    check_balance(engine, exchanged);
    CHECK_RELATIVE(heat.taken, taken, 1e-9);  // digits of 400 K
    CHECK(heat.particles > heat.taken);       // the cold floor takes heat of the others
}

}  // namespace beadwave::validation::packing_heat_test
