// Chains from scenarios.

#include "beadwave/chain/chain.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/hertz.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation::chain_test {

namespace {

chain::Scenario hertz_chain(std::int64_t beads) {
    return steel_chain(beads, 1.0, law_settings("hertz"), 1e-4);
}

std::string refusal(const chain::Scenario& scenario) {
    try {
        chain::build_chain(scenario);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("beads are in a row, one diameter and the gap apart") {
    chain::Scenario scenario = hertz_chain(4);
    scenario.segments[1].gap = 1e-4;
    const chain::Chain chain = chain::build_chain(scenario);
    REQUIRE(chain.beads() == 4);
    const std::vector<double> positions = chain.positions();
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK_ABSOLUTE(positions[i], static_cast<double>(i) * (2.0 * 2.38e-3 + 1e-4), 1e-15);
    }
    CHECK(chain.gap[0] == std::numeric_limits<double>::infinity());
    CHECK(chain.gap[1] == 1e-4);
    CHECK(chain.gap[4] == std::numeric_limits<double>::infinity());
}

TEST_CASE("a pattern repeats its kinds, and values missing in a kind are those of the segment") {
    chain::Scenario scenario = hertz_chain(8);
    scenario.materials["ptfe"] = {.elasticity = {.youngs_modulus = 1.46e9, .poisson_ratio = 0.46},
                                  .density = 2178.0};
    scenario.segments[1].pattern = {{.radius = 1e-3, .mass = 1e-4, .material = {}},
                                    {.radius = {}, .mass = {}, .material = "ptfe"}};
    const chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i < 8; i += 2) {
        CHECK(chain.radius[i] == 1e-3);
        CHECK(chain.mass[i] == 1e-4);
        CHECK(chain.species[i] == 0);
    }
    for (std::size_t i = 2; i < 8; i += 2) {
        CHECK(chain.radius[i] == 2.38e-3);
        CHECK_RELATIVE(chain.mass[i], 4.0 / 3.0 * std::numbers::pi * std::pow(2.38e-3, 3) * 2178.0,
                       1e-14);
        CHECK(chain.species_names[chain.species[i]] == "ptfe");
    }
    // Steel on PTFE: the effective modulus of both.
    const auto law = chain.contacts.at(2).as<laws::Hertz<double>>();
    const double modulus = 1.0 / ((1 - 0.3 * 0.3) / 193e9 + (1 - 0.46 * 0.46) / 1.46e9);
    const double radius = 1e-3 * 2.38e-3 / (1e-3 + 2.38e-3);
    CHECK_RELATIVE(law.stiffness, 4.0 / 3.0 * modulus * std::sqrt(radius), 1e-14);
}

TEST_CASE("a taper scales the radius from bead to bead and the mass with its cube") {
    chain::Scenario scenario = hertz_chain(6);
    scenario.segments[1].taper = 0.9;
    const chain::Chain chain = chain::build_chain(scenario);
    for (std::size_t i = 1; i < 6; ++i) {
        CHECK_RELATIVE(chain.radius[i], 2.38e-3 * std::pow(0.9, static_cast<double>(i) - 1.0),
                       1e-14);
        CHECK_RELATIVE(chain.mass[i] / chain.mass[1],
                       std::pow(chain.radius[i] / chain.radius[1], 3), 1e-13);
    }
}

TEST_CASE("disorder has the given standard deviation, and the same seed gives the same chain") {
    chain::Scenario scenario = hertz_chain(20001);
    scenario.segments[1].disorder = 0.05;
    scenario.segments[1].seed = 3;
    const chain::Chain chain = chain::build_chain(scenario);
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 1; i < chain.beads(); ++i) {
        const double deviation = chain.radius[i] / 2.38e-3 - 1.0;
        sum += deviation;
        squares += deviation * deviation;
        CHECK_RELATIVE(chain.mass[i] / 0.45e-3, std::pow(1.0 + deviation, 3), 1e-12);
    }
    CHECK(std::abs(sum / 20000) < 4.0 * 0.05 / std::sqrt(20000.0));  // four standard errors
    CHECK_RELATIVE(std::sqrt(squares / 20000), 0.05, 4.0 / std::sqrt(2.0 * 20000.0));
    CHECK(chain::build_chain(scenario).radius == chain.radius);
    scenario.segments[1].seed = 4;
    CHECK(chain::build_chain(scenario).radius != chain.radius);
}

TEST_CASE("a wall is a plane with its own material") {
    chain::Scenario scenario = hertz_chain(3);
    scenario.materials["glass"] = {.elasticity = {.youngs_modulus = 65e9, .poisson_ratio = 0.2},
                                   .density = {}};
    scenario.right = {.kind = chain::EndKind::wall, .material = "glass", .gap = 2e-6};
    const chain::Chain chain = chain::build_chain(scenario);
    const double modulus = 1.0 / ((1 - 0.3 * 0.3) / 193e9 + (1 - 0.2 * 0.2) / 65e9);
    CHECK_RELATIVE(chain.contacts.at(3).as<laws::Hertz<double>>().stiffness,
                   4.0 / 3.0 * modulus * std::sqrt(2.38e-3), 1e-14);
    CHECK(chain.gap[3] == 2e-6);
    CHECK(chain.effective_mass(3) == 0.45e-3);
}

TEST_CASE("a striker may have a gap before a precompressed chain, no other bead may") {
    chain::Scenario scenario = hertz_chain(5);
    chain::Segment rest = scenario.segments[1];
    scenario.segments[1].beads = 1;
    scenario.segments[1].gap = 1e-4;  // between the striker and the chain
    rest.beads = 3;
    scenario.segments.push_back(rest);
    scenario.precompression = 20.0;
    const chain::Chain chain = chain::build_chain(scenario);
    CHECK(chain.gap[1] == 1e-4);
    for (std::size_t c = 2; c < 5; ++c) {
        CHECK_RELATIVE(laws::first_loading_force(chain.contacts.at(c), -chain.gap[c]), 20.0, 1e-12);
    }
    REQUIRE(chain.loads.size() == 2);
    CHECK(chain.loads[0].bead == 1);
    CHECK(chain.loads[1].bead == 4);

    scenario.segments[2].gap = 1e-4;
    CHECK(refusal(scenario).find(
              "cannot carry it; in static equilibrium only a moving striker may have a gap") !=
          std::string::npos);
}

TEST_CASE("errors that only show in the complete chain are refused") {
    chain::Scenario fixed = hertz_chain(3);
    fixed.left.kind = chain::EndKind::fixed;
    CHECK(refusal(fixed) ==
          "test: boundary.left: fixes bead 0, which moves at 1 m/s; expected a bead at rest");

    chain::Scenario falling = hertz_chain(3);
    falling.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = true};
    CHECK(refusal(falling).find("pulls the chain off its free right end") != std::string::npos);

    chain::Scenario crushed = hertz_chain(3);
    crushed.segments[1].gap = -3e-3;
    CHECK(refusal(crushed).find("beads overlap by more than a radius") != std::string::npos);

    chain::Scenario still = steel_chain(3, 0.0, law_settings("flores"), 1e-4);
    still.law.values.insert_or_assign("impact_speed", std::string("initial"));
    CHECK(refusal(still).find("nothing approaches at the start") != std::string::npos);
}

TEST_CASE("the impact speed of all contacts is that of the first impact unless it is given") {
    chain::Scenario scenario = steel_chain(3, 1.3, law_settings("flores"), 1e-4);
    scenario.law.values.insert_or_assign("impact_speed", std::string("initial"));
    const auto first = chain::build_chain(scenario).contacts.at(1);
    scenario.law.values.insert_or_assign("impact_speed", 1.3);
    const auto given = chain::build_chain(scenario).contacts.at(1);
    CHECK(first == given);
}

}  // namespace beadwave::validation::chain_test
