// The tiled engine compared with the plain engine, and with itself for other tiles and threads.

#include "dynamics/tiled/tiled_engine.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace beadwave::validation::tiled_engine_test {

namespace {

struct Outcome {
    std::vector<double> displacement, velocity, force;
    dynamics::SensorTrace trace;
    dynamics::Totals totals;

    bool operator==(const Outcome& other) const {
        return displacement == other.displacement && velocity == other.velocity &&
               force == other.force && trace.force == other.trace.force &&
               trace.velocity == other.trace.velocity && totals.kinetic == other.totals.kinetic &&
               totals.dissipated == other.totals.dissipated &&
               totals.external_work == other.totals.external_work;
    }
};

/// Runs the steps in groups, sensors on `beads`.
Outcome run_engine(dynamics::Engine& engine, const std::vector<std::int64_t>& groups,
                   const std::vector<std::size_t>& beads = {}) {
    Outcome outcome;
    outcome.trace.beads = beads;
    std::vector<double> force, velocity;
    for (const std::int64_t steps : groups) {
        engine.advance(steps, outcome.trace);
        force.insert(force.end(), outcome.trace.force.begin(), outcome.trace.force.end());
        velocity.insert(velocity.end(), outcome.trace.velocity.begin(),
                        outcome.trace.velocity.end());
    }
    outcome.trace.force = force;
    outcome.trace.velocity = velocity;
    outcome.displacement.assign(engine.displacement().begin(), engine.displacement().end());
    outcome.velocity.assign(engine.velocity().begin(), engine.velocity().end());
    outcome.force.assign(engine.contact_force().begin(), engine.contact_force().end());
    outcome.totals = engine.totals();
    return outcome;
}

double largest(const std::vector<double>& values) {
    Largest result;
    for (const double v : values)
        result.enter(std::abs(v));
    return result;
}

/// Largest difference, relative to the largest value.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    Largest worst;
    for (std::size_t i = 0; i < a.size(); ++i) {
        REQUIRE(std::isfinite(a[i]) == std::isfinite(b[i]));
        worst.enter(a[i] == b[i] ? 0.0 : std::abs(a[i] - b[i]));
    }
    const double scale = largest(b);
    return scale > 0.0 ? worst / scale : worst;
}

double difference(const Outcome& a, const Outcome& b) {
    Largest worst;
    worst.enter(difference(a.displacement, b.displacement), difference(a.velocity, b.velocity),
                difference(a.force, b.force));
    if (!b.trace.force.empty())
        worst.enter(difference(a.trace.force, b.trace.force),
                    difference(a.trace.velocity, b.trace.velocity));
    return worst;
}

/// Largest difference between the two engines on any instruction set of this processor.
double worst_difference(const chain::Chain& chain, double dt, std::int64_t steps,
                        const dynamics::TileShape& shape, const std::vector<std::size_t>& sensors) {
    const auto plain = dynamics::make_plain_engine(chain, dt);
    const Outcome expected = run_engine(*plain, {steps}, sensors);
    REQUIRE(largest(expected.velocity) > 0.0);
    Largest worst;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const auto tiled = dynamics::make_tiled_engine(chain, dt, 1, shape, set);
        worst.enter(difference(run_engine(*tiled, {steps}, sensors), expected));
        CHECK_MESSAGE(tiled->step() == steps, set.name);
        const dynamics::Totals totals = tiled->totals(), right = plain->totals();
        const double energy = right.kinetic + right.stored + std::abs(right.dissipated);
        CHECK_ABSOLUTE(totals.kinetic, right.kinetic, 1e-12 * energy);
        CHECK_ABSOLUTE(totals.stored, right.stored, 1e-12 * energy);
        CHECK_ABSOLUTE(totals.dissipated, right.dissipated, 1e-12 * energy);
        CHECK_ABSOLUTE(totals.external_work, right.external_work, 1e-12 * energy);
    }
    return worst;
}

/// The left end is a piston given by a table, which stops early. The right end is a burst of a
/// sine.
void drive_both_ends(chain::Scenario& scenario) {
    scenario.left = {
        .kind = chain::EndKind::driven,
        .drive = stepping::Drive::table("time_s,displacement_m\n0,0\n2e-6,1e-6\n9e-6,3e-6\n"
                                        "13e-6,2e-6\n30e-6,5e-6\n",
                                        "piston.csv")};
    scenario.right = {.kind = chain::EndKind::driven,
                      .drive = stepping::Drive::sine(8e4, -5e-7, 1.5)};
}

constexpr dynamics::TileShape small_tiles{.beads = 24, .steps = 13, .sleep = true};

}  // namespace

TEST_CASE("the tiled engine equals the plain engine for every law of the catalogue") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        chain::Scenario scenario = steel_chain(71, 1.77, law_settings(entry.name), 1e-4);
        const chain::Chain chain = chain::build_chain(scenario);
        const double off_one = worst_difference(chain, 2e-8, 5000, {}, {0, 9, 31, 70});
        const double off_cut = worst_difference(chain, 2e-8, 5000, small_tiles, {0, 9, 31, 70});
        MESSAGE(entry.name, ": ", off_one);
        // The interpolant of a table counts from its knots and loses digits close to them.
        const double tolerance = entry.name == "tabulated" ? 1e-11 : 1e-13;
        CHECK(off_one < tolerance);
        CHECK(off_cut < tolerance);
    }
}

TEST_CASE(
    "without fused multiplication and addition the tiled engine equals the plain engine to the "
    "bit") {
    for (const std::string law : {"hertz", "flores", "wang-liu", "tabulated"}) {
        chain::Scenario scenario = steel_chain(71, 1.77, law_settings(law), 1e-4);
        SUBCASE("free ends") {}
        SUBCASE("driven ends") {
            drive_both_ends(scenario);
        }
        const chain::Chain chain = chain::build_chain(scenario);
        const Outcome plain = run_engine(*dynamics::make_plain_engine(chain, 2e-8), {3000}, {5});
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            if (set.fused) continue;
            const auto tiled = dynamics::make_tiled_engine(chain, 2e-8, 1, small_tiles, set);
            CHECK_MESSAGE(run_engine(*tiled, {3000}, {5}) == plain, law << " with " << set.name);
        }
    }
}

TEST_CASE("the number of threads, the tiles and the grouping of steps never change a bit") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(13001, 1.77, law_settings(law), 1e-4);
        scenario.segments[1].velocity = 0.01;
        SUBCASE("uniform") {}
        SUBCASE("disordered, compressed, between walls") {
            scenario.segments[1].disorder = 0.01;
            scenario.segments[1].seed = 7;
            scenario.precompression = 10.0;
            scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        }
        SUBCASE("driven ends") {
            drive_both_ends(scenario);
        }
        const chain::Chain chain = chain::build_chain(scenario);
        const std::vector<std::size_t> sensors{12999, 0, 4000, 4001, 63};
        const Outcome one = run_engine(
            *dynamics::make_tiled_engine(chain, 1e-7, 1, {.beads = 13001}), {230}, sensors);
        REQUIRE(largest(one.force) > 0.0);
        for (const int threads : {1, 2, 3}) {
            for (const dynamics::TileShape& shape :
                 {dynamics::TileShape{}, dynamics::TileShape{.beads = 200, .steps = 50},
                  dynamics::TileShape{.beads = 17, .steps = 3}}) {
                for (const std::vector<std::int64_t>& groups :
                     {std::vector<std::int64_t>{230}, {1, 7, 100, 122}}) {
                    const auto engine = dynamics::make_tiled_engine(chain, 1e-7, threads, shape);
                    CHECK(engine->threads() == threads);
                    CHECK(run_engine(*engine, groups, sensors) == one);
                }
            }
        }
    }
}

TEST_CASE("tiles that sleep never change a bit") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(3000, 1.77, law_settings(law), 1e-4);
        SUBCASE("touching beads") {}
        SUBCASE("compressed beads at rest") {
            scenario.precompression = 20.0;
        }
        SUBCASE("gravity on beads that touch") {
            scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = false};
        }
        SUBCASE("driven ends of beads at rest") {
            scenario.segments[0].velocity = 0.0;
            drive_both_ends(scenario);
        }
        const chain::Chain chain = chain::build_chain(scenario);
        dynamics::TileShape shape{.beads = 100, .steps = 30, .sleep = false};
        const std::vector<std::size_t> sensors{0, 20, 2500, 99, 100};
        const Outcome awake =
            run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 1, shape), {1, 4999}, sensors);
        shape.sleep = true;
        CHECK(run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 2, shape), {1, 4999}, sensors) ==
              awake);
    }
}

TEST_CASE(
    "chains of few beads move as on the plain engine, whatever the memory of their contacts") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        laws::Settings law = law_settings(entry.name);
        const auto speed =
            std::ranges::find(entry.parameters, "impact_speed", &laws::Parameter::name);
        if (speed != entry.parameters.end() && speed->accepts("per-contact"))
            law.values["impact_speed"] = std::string("per-contact");
        // One block of beads and the first bead of a second, so that a vector may extend over the
        // wall.
        for (const std::size_t beads : {1, 2, 3, 6, 7, 8, 9, 13, 14, 15, 16, 17}) {
            CAPTURE(beads);
            chain::Scenario scenario = steel_chain(beads, 1.77, law, 1e-4);
            scenario.left.kind = chain::EndKind::wall;
            const double tolerance = entry.name == "tabulated" ? 1e-11 : 1e-13;
            CHECK(worst_difference(chain::build_chain(scenario), 2e-8, 500, {}, {0}) < tolerance);
        }
    }
}

TEST_CASE("every kind of chain moves on tiles as on the plain engine") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        chain::Scenario scenario = steel_chain(71, 1.77, law_settings(law), 1e-4);
        SUBCASE("walls") {
            scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
            scenario.segments[0].velocity = -1.0;
        }
        SUBCASE("a wall beyond a gap") {
            scenario.right.kind = chain::EndKind::wall;
            scenario.right.gap = 1e-6;
        }
        SUBCASE("driven ends") {
            drive_both_ends(scenario);
        }
        SUBCASE("driven ends of a squeezed chain") {
            drive_both_ends(scenario);
            scenario.precompression = 15.0;
        }
        SUBCASE("driven ends, and the last bead ends a block") {
            scenario.segments[1].beads = 63;
            drive_both_ends(scenario);
        }
        SUBCASE("one bead between driven walls") {
            scenario = steel_chain(1, 1.77, law_settings(law), 1e-4);
            drive_both_ends(scenario);
        }
        SUBCASE("a fixed end") {
            scenario.right.kind = chain::EndKind::fixed;
        }
        SUBCASE("gravity") {
            scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = true};
            scenario.right.kind = chain::EndKind::wall;
        }
        SUBCASE("precompression") {
            scenario.precompression = 15.0;
        }
        SUBCASE("disorder") {
            scenario.segments[1].disorder = 0.02;
            scenario.segments[1].seed = 3;
        }
        SUBCASE("gaps") {
            scenario.segments[1].gap = 1e-7;
        }
        SUBCASE("two segments of different beads") {
            scenario.segments.push_back(scenario.segments[1]);
            scenario.segments[1].beads = 33;
            scenario.segments[2].beads = 37;
            scenario.segments[2].radius *= 1.5;
        }
        SUBCASE("one bead between walls") {
            scenario = steel_chain(1, 1.77, law_settings(law), 1e-4);
            scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        }
        SUBCASE("as many beads as a vector has lanes") {
            scenario.segments[1].beads = 63;
        }
        CAPTURE(law);
        const chain::Chain chain = chain::build_chain(scenario);
        const std::size_t last = chain.beads() - 1;
        CHECK(worst_difference(chain, 2e-8, 4000, {}, {0, last}) < 1e-13);
        CHECK(worst_difference(chain, 2e-8, 4000, small_tiles, {0, last}) < 1e-13);
    }
}

TEST_CASE(
    "with a sleep speed a wave arrives as without one, and the ledger contains the sleep loss") {
    const chain::Chain chain =
        chain::build_chain(steel_chain(9000, 1.77, law_settings("hertz"), 1e-4));
    const std::vector<std::size_t> sensors{100, 500, 999};
    const std::vector<std::int64_t> whole{70'000}, parts{1, 999, 30'000, 39'000};
    const Outcome awake = run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 1), whole, sensors);
    const dynamics::TileShape sleepy{.sleep_speed = 1e-13};
    const Outcome asleep =
        run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 1, sleepy), whole, sensors);
    // A bead put to sleep loses up to 1e-13 m/s of the wave's 1 m/s, and several beads do: 6e-13
    // with AVX-512, 1.1e-12 with NEON, whose rounding puts other beads to sleep.
    CHECK(difference(asleep.trace.force, awake.trace.force) < 3e-12);
    CHECK(difference(asleep.trace.velocity, awake.trace.velocity) < 3e-12);
    CHECK(asleep.totals.sleep_loss_energy > 0.0);
    CHECK(asleep.totals.sleep_loss_energy < 1e-12 * awake.totals.kinetic);
    CHECK_ABSOLUTE(asleep.totals.momentum + asleep.totals.sleep_loss_momentum,
                   awake.totals.momentum, 1e-13 * awake.totals.momentum);
    CHECK(run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 2, sleepy), whole, sensors) ==
          asleep);
    CHECK(run_engine(*dynamics::make_tiled_engine(chain, 1e-7, 1, sleepy), parts, sensors) ==
          asleep);
}

}  // namespace beadwave::validation::tiled_engine_test
