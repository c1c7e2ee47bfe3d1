// A run that continues from a saved state equals the uninterrupted run to the bit.

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "engine_outcome.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace beadwave::validation::continue_test {

namespace {

using Engines = std::function<std::unique_ptr<dynamics::Engine>(int threads)>;

/// Numbers in which the two runs differ after `steps` more steps; one continues, the other is
/// restored.
int differences(const Engines& make, std::int64_t before, std::int64_t steps) {
    const auto whole = make(1), piece = make(2);
    dynamics::SensorTrace trace, other;
    trace.beads = other.beads = {3, 9, 20};
    whole->advance(before, trace);
    restore(*piece, saved(*whole), whole->step());
    whole->advance(steps, trace);
    piece->advance(steps, other);
    int different = whole->step() != piece->step();
    const auto compare = [&](std::span<const double> a, std::span<const double> b) {
        different += !std::ranges::equal(a, b);
    };
    compare(whole->displacement(), piece->displacement());
    compare(whole->velocity(), piece->velocity());
    compare(whole->contact_force(), piece->contact_force());
    compare(trace.force, other.force);
    compare(trace.velocity, other.velocity);
    const dynamics::Totals a = whole->totals(), b = piece->totals();
    compare(std::array{a.kinetic, a.stored, a.dissipated, a.external_work, a.momentum,
                       a.sleep_loss_energy, a.sleep_loss_momentum},
            std::array{b.kinetic, b.stored, b.dissipated, b.external_work, b.momentum,
                       b.sleep_loss_energy, b.sleep_loss_momentum});
    return different;
}

chain::Chain chain_of(const laws::Settings& law, std::int64_t beads, double disorder) {
    chain::Scenario scenario = steel_chain(beads, 1.77, law, 1e-3);
    scenario.segments.back().disorder = disorder;
    scenario.segments.back().seed = 5;
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = false};
    return chain::build_chain(scenario);
}

}  // namespace

TEST_CASE("every law continues from a saved state as if it had not stopped, in either engine") {
    for (const laws::Entry& law : laws::catalogue()) {
        if (!law.refused.empty()) continue;
        for (const double disorder : {0.0, 0.02}) {
            CAPTURE(law.name);
            CAPTURE(disorder);
            const chain::Chain chain = chain_of(law_settings(std::string(law.name)), 60, disorder);
            const dynamics::TileShape tiles{.beads = 24, .steps = 13};
            CHECK(differences([&](int) { return dynamics::make_plain_engine(chain, 2e-8); }, 5003,
                              6000) == 0);
            CHECK(
                differences(
                    [&](int threads) { return dynamics::make_tiled_engine(chain, 2e-8, threads); },
                    5003, 6000) == 0);
            CHECK(differences(
                      [&](int threads) {
                          return dynamics::make_tiled_engine(chain, 2e-8, threads, tiles);
                      },
                      5003, 6000) == 0);
        }
    }
}

TEST_CASE(
    "after a restore, beads that a sleep speed put to sleep still sleep, and their sleep loss is "
    "in the totals") {
    for (const char* law : {"hertz", "flores", "ma-liu"}) {
        chain::Scenario scenario = steel_chain(9000, 1.77, law_settings(law), 1e-3);
        const chain::Chain chain = chain::build_chain(scenario);
        for (const std::int64_t before : {6000, 6010}) {
            CAPTURE(law);
            CAPTURE(before);
            const auto make = [&](int threads) {
                return dynamics::make_tiled_engine(chain, 2e-8, threads,
                                                   {.beads = 96, .steps = 31, .sleep_speed = 1e-3});
            };
            CHECK(differences(make, before, 6000) == 0);
            dynamics::SensorTrace trace;
            const auto engine = make(1);
            engine->advance(before, trace);
            CHECK(engine->totals().sleep_loss_energy > 0.0);  // otherwise this tests nothing
        }
    }
}

TEST_CASE("driven ends and their external work continue from where they were") {
    for (const char* law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario =
            steel_chain(300, 0.0, law_settings(law, {{"impact_speed", 1.0}}), 1e-3);
        scenario.left = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(2e4, 2e-6)};
        scenario.right = {
            .kind = chain::EndKind::driven,
            .drive = stepping::Drive::table("time_s,displacement_m\n0,0\n2e-5,-1e-6\n9e-5,-3e-6\n"
                                            "15e-5,2e-6\n",
                                            "piston.csv")};
        const chain::Chain chain = chain::build_chain(scenario);
        const dynamics::TileShape tiles{.beads = 24, .steps = 13},
            sleepy{.beads = 96, .steps = 31, .sleep_speed = 1e-6};
        for (const std::int64_t before : {2003, 9000}) {  // before and after the end of the table
            CAPTURE(before);
            CHECK(differences([&](int) { return dynamics::make_plain_engine(chain, 2e-8); }, before,
                              3001) == 0);
            CHECK(
                differences(
                    [&](int threads) { return dynamics::make_tiled_engine(chain, 2e-8, threads); },
                    before, 3001) == 0);
            CHECK(differences(
                      [&](int threads) {
                          return dynamics::make_tiled_engine(chain, 2e-8, threads, tiles);
                      },
                      before, 3001) == 0);
            CHECK(differences(
                      [&](int threads) {
                          return dynamics::make_tiled_engine(chain, 2e-8, threads, sleepy);
                      },
                      before, 3001) == 0);
        }
    }
}

}  // namespace beadwave::validation::continue_test
