// What each contact of a chain dissipates: collisions one by one, the sum against the ledger, and
// the state that a checkpoint keeps.

#include "beadwave/laws/catalogue.hpp"
#include "dynamics/forced_engine.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace beadwave::validation::chain_dissipation_test {

namespace {

double sum_of(const std::vector<double>& parts) {
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Both engine and ledger sum over thousands of steps, each in its own order: 1e-13 of the energy
/// that went in.
void check_sum(const dynamics::Engine& engine, double scale) {
    CHECK_ABSOLUTE(sum_of(engine.contact_dissipation()), engine.totals().dissipated, 1e-13 * scale);
}

double kinetic(const chain::Chain& chain, const dynamics::Engine& engine, std::size_t bead) {
    const double v = engine.velocity()[bead];
    return 0.5 * chain.mass[bead] * v * v;
}

std::map<std::string, std::vector<double>> saved_state(dynamics::Engine& engine) {
    std::map<std::string, std::vector<double>> all;
    for (const dynamics::StateColumn& column : engine.state())
        all[column.name].assign(column.values.begin(), column.values.end());
    return all;
}

}  // namespace

TEST_CASE("the contacts of a chain dissipate together what the ledger has, whatever the law") {
    dynamics::SensorTrace trace;
    std::size_t dissipative = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.make == nullptr) continue;
        CAPTURE(entry.name);
        chain::Scenario scenario = steel_chain(7, 1.77, law_settings(entry.name), 6e-5);
        scenario.right.kind = chain::EndKind::wall;
        const chain::Chain chain = chain::build_chain(scenario);
        const auto engine = dynamics::make_plain_engine(chain, 2e-8, true);
        const double initial = engine->totals().kinetic + engine->totals().stored;
        for (int part = 0; part < 3; ++part) {
            engine->advance(1000, trace);
            check_sum(*engine, initial);
        }
        if (engine->totals().dissipated > 1e-3 * initial) ++dissipative;
        // Without being asked the engine says nothing, and takes the same steps.
        const auto silent = dynamics::make_plain_engine(chain, 2e-8);
        silent->advance(3000, trace);
        CHECK(silent->contact_dissipation().empty());
        CHECK(largest_difference(silent->velocity(), engine->velocity()) == 0.0);
    }
    CHECK(dissipative > 20);
}

TEST_CASE("two pairs of beads that collide lose what their velocities say, each in its contact") {
    dynamics::SensorTrace trace;
    for (const char* law : {"tsuji", "thornton", "walton-braun", "flores"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(4, 1.77, law_settings(law), 1e-4);
        scenario.segments.back().gap = 1e-6;
        chain::Chain chain = chain::build_chain(scenario);
        chain.gap[2] = 1.0;
        chain.velocity = {1.77, 0.0, 0.5, -0.4};
        const auto engine = dynamics::make_plain_engine(chain, 1e-8, true);
        const double initial = engine->totals().kinetic;
        double before[2];
        for (std::size_t pair : {0, 1})
            before[pair] =
                kinetic(chain, *engine, 2 * pair) + kinetic(chain, *engine, 2 * pair + 1);
        engine->advance(10000, trace);
        const std::vector<double> lost = engine->contact_dissipation();
        REQUIRE(lost.size() == 5);
        for (std::size_t pair : {0, 1}) {
            const double now =
                kinetic(chain, *engine, 2 * pair) + kinetic(chain, *engine, 2 * pair + 1);
            CHECK(before[pair] - now > 0.05 * before[pair]);
            // What is left in the first force of the trapezoid: none, the beads start apart.
            CHECK_ABSOLUTE(lost[2 * pair + 1], before[pair] - now, 1e-12 * initial);
        }
        CHECK(lost[0] == 0.0);
        CHECK(lost[2] == 0.0);
        CHECK(lost[4] == 0.0);
    }
}

TEST_CASE("driven walls and beads, loads and forces from outside are in the sum over contacts") {
    for (const char* law : {"tsuji", "walton-braun"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(9, 0.0, law_settings(law), 1e-4);
        scenario.left = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(4e4, 3e-6)};
        scenario.right.kind = chain::EndKind::wall;
        chain::Chain chain = chain::build_chain(scenario);
        chain.elements.driven.push_back({5, stepping::Drive::sine(3e4, 2e-6)});
        chain.velocity[5] = chain.elements.driven[0].motion.velocity(0.0);
        chain.elements.loads.push_back({2, stepping::ForceSignal::sine(2e4, 30.0)});
        dynamics::ForcedEngine engine(dynamics::make_plain_engine(chain, 1e-8, true), 1e-8);
        engine.add_force({{3, 7}, [](double time, auto, auto velocity, std::span<double> force) {
                              force[0] = 25.0 * std::sin(2e5 * time);
                              force[1] = -3.0 * velocity[1];
                          }});
        dynamics::SensorTrace none;
        double scale = 0.0;
        for (int part = 0; part < 10; ++part) {
            engine.advance(1000, none);
            const dynamics::Totals now = engine.totals();
            scale = std::max({scale, now.kinetic + now.stored, std::abs(now.external_work)});
            CHECK_ABSOLUTE(sum_of(engine.contact_dissipation()), now.dissipated, 1e-13 * scale);
        }
        CHECK(engine.totals().dissipated > 0.05 * scale);
    }
}

TEST_CASE("what contacts dissipated goes on from a saved state to the same bits") {
    for (const char* law : {"tsuji", "thornton"}) {
        chain::Scenario scenario = steel_chain(12, 1.77, law_settings(law), 1e-4);
        scenario.left = {.kind = chain::EndKind::driven, .drive = stepping::Drive::sine(4e4, 3e-6)};
        const chain::Chain chain = chain::build_chain(scenario);
        dynamics::SensorTrace none;
        const auto whole = dynamics::make_plain_engine(chain, 1e-8, true);
        whole->advance(1500, none);
        const auto middle = saved_state(*whole);
        whole->advance(2000, none);
        const auto resumed = dynamics::make_plain_engine(chain, 1e-8, true);
        for (const dynamics::StateColumn& column : resumed->state())
            std::ranges::copy(middle.at(column.name), column.values.begin());
        resumed->continue_at(1500);
        resumed->advance(2000, none);
        CHECK(largest_size(whole->contact_dissipation()) > 0.0);
        CHECK(resumed->contact_dissipation() == whole->contact_dissipation());
    }
}

}  // namespace beadwave::validation::chain_dissipation_test
