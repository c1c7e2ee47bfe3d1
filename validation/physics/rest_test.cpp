// Results that must be exactly zero, and results that must be exactly equal.

#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::validation::rest_test {

TEST_CASE("beads ahead of the wave in a ten-thousand-bead chain are exactly at rest") {
    chain::Scenario scenario = steel_chain(10000, 1.77, law_settings("hertz"), 1e-3);
    scenario.time.step = 1e-7;
    const Finished finished = run(scenario);
    const auto velocity = finished.engine->velocity();
    const auto front =
        std::ranges::find_if(velocity.rbegin(), velocity.rend(), [](double v) { return v != 0.0; });
    const auto reached = static_cast<std::size_t>(velocity.rend() - front);
    MESSAGE("the wave reached bead ", reached);
    CHECK(reached >
          150);  // 600 m/s for 1 ms over 4.76 mm per bead, and the decaying head of the wave
    CHECK(reached < 250);
    for (std::size_t i = reached; i < velocity.size(); ++i)
        REQUIRE(velocity[i] == 0.0);
    for (std::size_t i = reached; i < velocity.size(); ++i)
        REQUIRE(finished.engine->displacement()[i] == 0.0);
}

TEST_CASE("any number of threads gives the same bits") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(13001, 1.77, law_settings(law), 5e-5);
        scenario.segments[1].disorder = 0.01;
        scenario.segments[1].seed = 7;
        scenario.precompression = 10.0;
        scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        scenario.time.step = 1e-7;
        const Finished one = run(scenario, {}, 1);
        for (const int threads : {2, 3}) {
            const Finished many = run(scenario, {}, threads);
            REQUIRE(many.engine->threads() == threads);
            CHECK(std::ranges::equal(one.engine->velocity(), many.engine->velocity()));
            CHECK(std::ranges::equal(one.engine->displacement(), many.engine->displacement()));
            CHECK(one.result.ledger.dissipated == many.result.ledger.dissipated);
        }
    }
}

TEST_CASE("the grouping of steps never changes a result") {
    const chain::Scenario scenario = steel_chain(71, 1.77, law_settings("ma-liu"), 1e-4);
    const chain::Chain chain = chain::build_chain(scenario);
    const auto together = dynamics::make_plain_engine(chain, 1e-8);
    const auto apart = dynamics::make_plain_engine(chain, 1e-8);
    dynamics::SensorTrace none;
    together->advance(3000, none);
    for (const std::int64_t steps : {1, 7, 500, 2492})
        apart->advance(steps, none);
    CHECK(std::ranges::equal(together->velocity(), apart->velocity()));
    CHECK(std::ranges::equal(together->displacement(), apart->displacement()));
}

TEST_CASE("an undisturbed chain in static equilibrium stays exactly at rest") {
    chain::Scenario scenario = steel_chain(50, 0.0, law_settings("ma-liu"), 1e-4);
    scenario.precompression = 20.0;
    SUBCASE("between its end loads") {}
    SUBCASE("between fixed ends") {
        scenario.left.kind = scenario.right.kind = chain::EndKind::fixed;
    }
    const Finished finished = run(scenario);
    for (const double velocity : finished.engine->velocity())
        CHECK(velocity == 0.0);
    for (std::size_t c = 1; c < 50; ++c)
        CHECK_RELATIVE(finished.engine->contact_force()[c], 20.0, 1e-12);
}

TEST_CASE("an undisturbed chain between walls stays at rest to rounding") {
    // The contacts with the walls have another stiffness, so equal forces differ in the last bit.
    chain::Scenario scenario = steel_chain(50, 0.0, law_settings("ma-liu"), 1e-4);
    scenario.precompression = 20.0;
    scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
    const Finished finished = run(scenario);
    for (const double velocity : finished.engine->velocity())
        CHECK(std::abs(velocity) < 1e-15);
}

TEST_CASE("a column under gravity starts in equilibrium and stays there to rounding") {
    chain::Scenario scenario = steel_chain(40, 0.0, law_settings("hertz"), 2e-3);
    scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = true};
    scenario.right.kind = chain::EndKind::wall;
    scenario.time.step = 1e-6;
    const Finished finished = run(scenario);
    for (std::size_t c = 1; c <= 40; ++c) {
        CHECK_RELATIVE(finished.engine->contact_force()[c], static_cast<double>(c) * 0.45e-3 * 9.81,
                       1e-9);
    }
    for (const double velocity : finished.engine->velocity())
        CHECK(std::abs(velocity) < 1e-13);
}

}  // namespace beadwave::validation::rest_test
