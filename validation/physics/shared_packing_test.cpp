// A packing that several ranks share equals a packing on one process to the bit: motion, contacts,
// traces, totals, what contacts dissipate and rub off walls, and the contents of a checkpoint,
// which any number of ranks continues.

#include "beadwave/input_error.hpp"
#include "packing_backends.hpp"
#include "packing_system/packing_simulation.hpp"
#include "packings.hpp"
#include "sanitised.hpp"
#include "shared_packings.hpp"
#include "splitmix.hpp"
#include "struck_bed.hpp"
#include "tumbling.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace beadwave::validation::shared_packing_test {

using namespace beadwave::validation::sharing;

namespace {

packing::Packing tumble(const std::string& law) {
    packing::Packing p = tumbling(law, {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3},
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {11, 9, 22},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 5e-5;
    return p;
}

const std::vector<std::size_t> some{5, 0, 102, 1500, 2900, 3400};

}  // namespace

TEST_CASE(
    "a packing that ranks share equals a whole one to the bit, with walls, friction, rolling, "
    "fixed particles and rebuilt lists") {
    using Counts = std::map<std::string, std::vector<int>>;
    for (const packing::Precision precision : both_precisions) {
        const Counts counts = precision == packing::Precision::full
                                  ? Counts{{"hertz", {2}}, {"ma-liu", {4}}, {"flores", {3}}}
                                  : Counts{{"hertz", {4}}, {"ma-liu", {2, 3}}};
        const bool full = precision == packing::Precision::full;
        for (const auto& entry : counts) {
            const std::string& law = entry.first;
            if (sanitised && law != (full ? "flores" : "ma-liu")) continue;
            INFO(law, " ", static_cast<int>(precision));
            packing::Packing p = tumble(law);
            p.precision = precision;
            if (law == "flores") p.friction = {};
            if (law == "ma-liu") p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01};
            const auto records = law == "hertz" ? packing::ContactRecords::rubbing
                                                : packing::ContactRecords::dissipation;
            const Numbers found = check_same(
                {p, 2e-7, {1, 99, 150, 160}, some, records_of(p, records)}, entry.second);
            if (full) {
                const bool rubs = law == "hertz";
                CHECK(sum_of(found.at(rubs ? "rubbing" : "dissipation")) > 0.0);
                CHECK(found.contains("dissipation") == !rubs);
            }
            CHECK(found.at("numbers").rbegin()[1] > 2);  // rebuilds
            CHECK(sum_of(found.at("traces")) > 0.0);
            CHECK(sum_of(found.at("contacts")) > 0.0);
            CHECK((sum_of(found.at("left out")) > 0.0) == full);
        }
    }
}

TEST_CASE("a pulse through a resting crystal, most of which sleeps, is the same on all ranks") {
    packing::Packing p = steel_packing("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(p,
                {.lattice = packing::Lattice::fcc, .cells = {14, 14, 14}, .radius = steel_radius});
    p.velocity[0] = {3.0, 2.0, 1.0};
    p.angular_velocity[0] = {50.0, 0.0, 80.0};
    for (const packing::Precision precision : both_precisions) {
        if (sanitised && precision == packing::Precision::full) continue;
        p.precision = precision;
        check_same({p, 2e-7, {25, 25, 50, 50}, some}, {4});
        ThreadRanks::run(3, [&](ranks::Communicator& ranks) {
            packing::PackingEngine engine = fast_engine(p, 2e-7, 1, packing::Sleep::yes, &ranks);
            engine.advance(25);
            CHECK(fast_of(engine).asleep_fraction() > 0.3);
            CHECK(fast_of(engine).asleep_fraction() < 1.0);
        });
    }
}

TEST_CASE("a rank holds its own particles and those next to them, also after a new list") {
    packing::Packing p = steel_packing("hertz");
    add_crystal(p, {.lattice = packing::Lattice::fcc, .cells = {8, 8, 48}, .radius = steel_radius});
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {i < p.particles() / 2 ? 8.0 : -8.0, 0.0, 0.0};
    p.skin = 0.1 * steel_radius;
    ThreadRanks::run(4, [&](ranks::Communicator& ranks) {
        packing::PackingEngine engine = fast_engine(p, 2e-7, 1, packing::Sleep::yes, &ranks);
        fast_of(engine).set_balance(equal_times());
        engine.advance(100);
        CHECK(engine.neighbour_list_builds() > 0);
        std::int64_t held = static_cast<std::int64_t>(fast_of(engine).held_particles());
        // Three of twelve blocks, and of each neighbour less than one.
        CHECK(held > static_cast<std::int64_t>(p.particles() / 4 - 1024));
        CHECK(held < static_cast<std::int64_t>(p.particles() / 4 + 2 * 1024));
        ranks.sum({&held, 1});
        CHECK(held > static_cast<std::int64_t>(p.particles()));
        CHECK(held < static_cast<std::int64_t>(p.particles() + 6 * 1024));
    });
}

TEST_CASE("a lid with a mass and a wall that turns move alike on all ranks") {
    packing::Packing p = tumble("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.8}});
    p.walls[1].velocity = {};
    p.walls[1].load = packing::Load{.mass = 5e-2, .force = 300.0, .gain = 30.0};
    p.walls[0].angular_velocity = 40.0;
    p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01};
    for (const packing::Precision precision : both_precisions) {
        if (sanitised && precision != packing::Precision::full) continue;
        p.precision = precision;
        const Numbers found =
            check_same({p, 2e-7, {40, 160, 100, 100}, some, records_of(p)}, {3, 4});
        CHECK(found.at("walls").at(8) != 0.0);
    }
}

TEST_CASE("boxes that strain, with and without pistons, strain alike on all ranks") {
    const packing::Straining rates{.rate = {-60.0, 25.0, -40.0}, .shear_rate = {90.0, -30.0, 50.0}};
    const packing::Straining pistons{.rate = {0, 0, -40.0},
                                     .shear_rate = {60.0, 0, 0},
                                     .has_piston = {true, true, false},
                                     .stress = {4e4, 2e4, 0},
                                     .mass = 2e-3,
                                     .damping = 0.05};
    for (const packing::Straining& strain : {rates, pistons}) {
        packing::Packing p = steel_packing("ma-liu");
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
        std::uint64_t drawn = 0;
        const auto uniform = [&] {
            return std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
        };
        std::vector<double> radii;
        for (std::size_t i = 0; i < 3500; ++i)
            radii.push_back(steel_radius * (0.8 + 0.4 * uniform()));
        const double side = 40.0 * steel_radius;
        const auto centres = packing::random_loose(radii, {}, {side, side, side}, 3, 5);
        for (std::size_t i = 0; i < radii.size(); ++i) {
            p.add(radii[i], steel_mass(radii[i]), centres[i]);
            p.velocity.back() = 6.0 * Vec3{uniform() - 0.5, uniform() - 0.5, uniform() - 0.5};
        }
        p.skin = 0.15 * steel_radius;
        p.box.upper = {side, side, side};
        p.box.periodic = {true, true, true};
        p.box.strain = strain;
        for (const packing::Precision precision : both_precisions) {
            const bool full = precision == packing::Precision::full;
            if (sanitised && full == strain.has_pistons()) continue;
            p.precision = precision;
            const Numbers found = check_same({p, 4e-7, {100, 300, 300, 100}, some, records_of(p)},
                                             {strain.has_pistons() ? 4 : 3});
            CHECK(found.at("numbers").rbegin()[1] > 1);  // rebuilds
        }
    }
}

TEST_CASE("lists reach further for the same fast particles on all ranks") {
    packing::Packing p = struck_bed("tsuji");
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.radius[i] *= 1.0 - 0.01 * static_cast<double>(i % 7);
    const Numbers found =
        check_same({p, 2e-7, {100, 300, 300, 100}, {5, 40, 102, 1440}, records_of(p)}, {2});
    CHECK(found.at("numbers").rbegin()[1] > 1);  // rebuilds
}

TEST_CASE("ranks refuse records of contacts that only the plain engine has") {
    packing::Packing p = tumble("hertz");
    packing::Scenario impacts, wear, heat, driven;
    impacts.impacts = true;
    wear.wear = {.law = laws::WearLaw::finnie};
    heat.wear = {.law = laws::WearLaw::archard};
    heat.heat = 293.0;
    driven.dissipation.walls = true;
    ThreadRanks::run(2, [&](ranks::Communicator& ranks) {
        CHECK_THROWS_WITH_AS(running::check_shared(impacts, p, ranks),
                             doctest::Contains("dissipation.impacts: is known to the plain engine "
                                               "alone, which runs in one process; 2 share"),
                             InputError);
        CHECK_THROWS_WITH_AS(running::check_shared(wear, p, ranks),
                             doctest::Contains("wear.law: is known to the plain engine alone"),
                             InputError);
        CHECK_THROWS_WITH_AS(running::check_shared(heat, p, ranks),
                             doctest::Contains("heat: is known to the plain engine alone"),
                             InputError);
        packing::Packing driving = p;
        driving.elements.motions.resize(1);
        CHECK_NOTHROW(running::check_shared(driven, driving, ranks));
    });
}

TEST_CASE("ranks cannot share a device") {
    packing::Packing p = tumble("hertz");
    p.place = packing::Place::twin;
    const packing::Scenario scenario;
    ThreadRanks::run(2, [&](ranks::Communicator& ranks) {
        CHECK_THROWS_WITH_AS(running::check_shared(scenario, p, ranks),
                             doctest::Contains("2 processes cannot share a device"), InputError);
        CHECK_THROWS_WITH_AS(packing::make_packing_engine(p, 2e-7, 1, &ranks),
                             "device: several processes cannot share a device",
                             std::invalid_argument);
    });
}

}  // namespace beadwave::validation::shared_packing_test
