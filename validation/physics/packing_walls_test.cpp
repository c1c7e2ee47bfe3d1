// Moving walls: driven by a table, by a sine, or at constant velocity.

#include "packings.hpp"
#include "relative.hpp"

#include <fmt/format.h>

#include <functional>

namespace beadwave::validation::packing_walls_test {

using packing::Vec3;

namespace {

/// Two spheres in a row and a wall that moves towards them along x.
packing::Packing before_wall() {
    packing::Packing p = steel_packing();
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    p.add(steel_radius, steel_mass(steel_radius), {steel_radius + 1e-6, 0, 0});
    p.add(steel_radius, steel_mass(steel_radius), {3 * steel_radius + 1e-6, 1e-4, 0});
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {1, 0, 0}}});
    return p;
}

std::string table(double until, int rows, const std::function<double(double)>& displacement) {
    std::string csv = "time_s,displacement_m\n";
    for (int k = 0; k <= rows; ++k) {
        const double t = until * k / rows;
        csv += fmt::format("{:.17g},{:.17g}\n", t, displacement(t));
    }
    return csv;
}

using Maker = std::unique_ptr<packing::PackingEngine> (*)(const packing::Packing&, double);

std::unique_ptr<packing::PackingEngine> plain(const packing::Packing& p, double dt) {
    return packing::make_plain_packing_engine(p, dt);
}

std::unique_ptr<packing::PackingEngine> fast(const packing::Packing& p, double dt) {
    return packing::make_packing_engine(p, dt, 1);
}

}  // namespace

TEST_CASE("a wall driven by a linear table moves at constant velocity") {
    for (const Maker make : {&plain, &fast}) {
        packing::Packing constant = before_wall(), driven = before_wall();
        constant.walls[0].velocity = {0.4, 0, 0};
        driven.walls[0].drive =
            stepping::Drive::table(table(1e-3, 10, [](double t) { return 0.4 * t; }), "motion.csv");
        const auto a = make(constant, 2e-8), b = make(driven, 2e-8);
        a->advance(10000);
        b->advance(10000);
        CHECK(a->velocity()[0].x > 0.0);
        for (std::size_t i = 0; i < 2; ++i)
            CHECK_ABSOLUTE(size_of(a->velocity()[i] - b->velocity()[i]), 0.0, 1e-9 * 0.4);
        CHECK_RELATIVE(a->totals().external_work, b->totals().external_work, 1e-9);
    }
}

TEST_CASE("a wall at constant velocity throws a sphere at twice that velocity") {
    packing::Packing p = before_wall();
    p.walls[0].velocity = {0.4, 0, 0};
    p.position[1].x += 1.0;
    const auto engine = packing::make_packing_engine(p, 2e-8, 1);
    engine->advance(10000);
    CHECK_RELATIVE(engine->velocity()[0].x, 0.8, 1e-8);
    CHECK_RELATIVE(engine->totals().external_work, 0.5 * p.mass[0] * 0.64, 1e-6);
}

TEST_CASE(
    "the ledger balances at a wall that a table drives, and a sine gives the same as its table") {
    const double amplitude = 2e-6, frequency = 2e4;
    const auto motion = [&](double t) {
        return amplitude * std::sin(2.0 * std::numbers::pi * frequency * t);
    };
    packing::Packing shaken = before_wall(), sine = before_wall();
    shaken.walls[0].drive = stepping::Drive::table(table(4e-4, 16000, motion), "motion.csv");
    sine.walls[0].drive = stepping::Drive::sine(frequency, amplitude);
    const auto a = packing::make_packing_engine(shaken, 1e-8, 1),
               b = packing::make_packing_engine(sine, 1e-8, 1);
    a->advance(30000);
    b->advance(30000);
    const auto t = a->totals();
    CHECK(t.external_work > 0.0);
    CHECK_ABSOLUTE(energy_of(t), 0.0, 1e-5 * t.external_work);
    CHECK_ABSOLUTE(size_of(a->velocity()[0] - b->velocity()[0]), 0.0,
                   1e-4 * size_of(b->velocity()[0]));
}

}  // namespace beadwave::validation::packing_walls_test
