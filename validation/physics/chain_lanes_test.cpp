// Chains that step together, compared to the bit with the same chains alone.

#include "dynamics/chain_lanes.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "engine_outcome.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace beadwave::validation::chain_lanes_test {

namespace {

using Engines = std::vector<std::unique_ptr<dynamics::Engine>>;

struct Together {
    Engines alone, together;
    std::unique_ptr<dynamics::ChainLanes> lanes;
};

Together engines_of(const std::vector<chain::Chain>& chains, double dt,
                    const simd::InstructionSet& set, const std::vector<std::size_t>& sensors) {
    Together engines;
    std::vector<dynamics::Engine*> pointers;
    for (const chain::Chain& chain : chains) {
        for (Engines* to : {&engines.alone, &engines.together}) {
            to->push_back(dynamics::make_tiled_engine(chain, dt, 1, {}, set));
            to->back()->monitor_stability(0.1);
        }
        pointers.push_back(engines.together.back().get());
    }
    engines.lanes = dynamics::make_chain_lanes(pointers, sensors);
    return engines;
}

/// Runs the chains alone and together, in groups of steps, and compares all numbers after each.
/// Where vectors take four chains, the first four.
void check_same_bits(const std::vector<chain::Chain>& all, double dt,
                     const std::vector<std::int64_t>& groups,
                     const std::vector<std::size_t>& sensors) {
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const std::size_t most = set.target == simd::Target::baseline ? 4 : 8;
        const std::vector<chain::Chain> chains(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())));
        Together engines = engines_of(chains, dt, set, sensors);
        REQUIRE(engines.lanes != nullptr);
        for (const std::int64_t steps : groups) {
            engines.lanes->advance(steps);
            for (std::size_t i = 0; i < chains.size(); ++i) {
                CAPTURE(i);
                dynamics::Engine &alone = *engines.alone[i], &one = *engines.together[i];
                dynamics::SensorTrace trace;
                trace.beads = sensors;
                alone.advance(steps, trace);
                REQUIRE(one.step() == alone.step());
                CHECK(saved(one) == saved(alone));
                CHECK(outcome_of(one) == outcome_of(alone));
                CHECK(one.stability_limits().frequency == alone.stability_limits().frequency);
                CHECK(one.stability_limits().damping == alone.stability_limits().damping);
                CHECK(one.stability_limits().frequency_bead ==
                      alone.stability_limits().frequency_bead);
                const dynamics::LaneTrace lane = engines.lanes->trace(i);
                REQUIRE(lane.rows == static_cast<std::size_t>(steps));
                for (std::size_t s = 0; s < sensors.size(); ++s) {
                    double strongest = -std::numeric_limits<double>::infinity();
                    double slowest = -strongest, fastest = strongest;
                    std::size_t different = 0;
                    for (std::size_t k = 0; k < lane.rows; ++k) {
                        const std::size_t at = (lane.place[s] * lane.rows + k) * lane.row;
                        const std::size_t row = k * sensors.size() + s;
                        different += lane.force[at] != trace.force[row] ||
                                     lane.velocity[at] != trace.velocity[row];
                        strongest = std::max(strongest, trace.force[row]);
                        slowest = std::min(slowest, trace.velocity[row]);
                        fastest = std::max(fastest, trace.velocity[row]);
                    }
                    CHECK(different == 0);
                    const std::size_t extreme = lane.place[s] * lane.row;
                    CHECK(lane.strongest[extreme] == strongest);
                    CHECK(lane.slowest[extreme] == slowest);
                    CHECK(lane.fastest[extreme] == fastest);
                }
            }
        }
        REQUIRE(engines.alone[0]->totals().kinetic > 0.0);
    }
}

/// `count` chains like that of the scenario whose stiffness and striker differ.
std::vector<chain::Chain> variants(chain::Scenario scenario, std::size_t count) {
    std::vector<chain::Chain> chains;
    for (std::size_t i = 0; i < count; ++i) {
        const double change = 1.0 + 0.02 * static_cast<double>(i);
        chain::Scenario one = scenario;
        one.materials["steel"].elasticity.youngs_modulus *= change;
        one.segments[0].velocity *= change;
        chains.push_back(chain::build_chain(one));
    }
    return chains;
}

/// Fewer chains than the narrowest vector takes, whose other lanes repeat the first one; and as
/// many as the widest takes.
constexpr std::size_t few = 3, many = 8;

}  // namespace

TEST_CASE(
    "chains that step together have the bits of each alone, with every law of the catalogue") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        CAPTURE(entry.name);
        const chain::Scenario scenario = steel_chain(40, 1.77, law_settings(entry.name), 1e-4);
        check_same_bits(variants(scenario, many), 2e-8, {1, 700, 1300}, {0, 9, 31, 39, 9});
    }
}

TEST_CASE("chains of all kinds that step together have the bits of each alone") {
    for (const std::string law : {"hertz", "flores", "ma-liu", "jkr"}) {
        CAPTURE(law);
        chain::Scenario scenario = steel_chain(71, 1.77, law_settings(law), 1e-4);
        SUBCASE("uniform") {}
        SUBCASE("struck from the right") {
            std::swap(scenario.segments[0], scenario.segments[1]);
            scenario.segments[1].velocity = -1.77;
        }
        SUBCASE("disordered, between walls") {
            scenario.segments[1].disorder = 0.01;
            scenario.segments[1].seed = 7;
            scenario.left.kind = scenario.right.kind = chain::EndKind::wall;
        }
        SUBCASE("compressed beads at rest") {
            scenario.precompression = 20.0;
        }
        SUBCASE("gravity") {
            scenario.right.kind = chain::EndKind::wall;
            scenario.gravity = chain::Gravity{.acceleration = 9.81, .equilibrium = false};
        }
        SUBCASE("a last bead that is struck at once") {
            scenario.segments[1].beads = 1;
        }
        const auto last = static_cast<std::size_t>(scenario.bead_count()) - 1;
        check_same_bits(variants(scenario, few), 2e-8, {350, 1, 2000}, {last, 0});
    }
}

TEST_CASE("the shortest chains that step together have the bits of each alone") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        for (const bool alike : {true, false}) {
            for (int beads = 2; beads <= 7; ++beads) {  // with and without a place that is unused
                CAPTURE(law);
                CAPTURE(alike);
                CAPTURE(beads);
                chain::Scenario scenario = steel_chain(beads, 1.77, law_settings(law), 1e-4);
                scenario.right.kind = chain::EndKind::wall;
                if (!alike) scenario.segments[1].disorder = 0.01;
                const auto last = static_cast<std::size_t>(scenario.bead_count()) - 1;
                check_same_bits(variants(scenario, few), 2e-8, {1, 40, 1500}, {last, 0});
            }
        }
    }
}

TEST_CASE("a chain at rest beside others is watched as alone, which is not at all") {
    chain::Scenario scenario = steel_chain(20, 1e-3, law_settings("hertz"), 1e-4);
    scenario.precompression = 1000.0;
    std::vector<chain::Chain> chains = variants(scenario, few);
    scenario.segments[0].velocity = 0.0;
    chains.push_back(chain::build_chain(scenario));
    check_same_bits(chains, 2e-7, {1, 300, 300}, {0, 9});
}

TEST_CASE("sensors are recorded from the first rows on that exceed a limit of some chain") {
    const std::vector<chain::Chain> chains =
        variants(steel_chain(40, 1.77, law_settings("ma-liu"), 1e-4), few);
    const std::vector<std::size_t> sensors = {30, 3, 5};
    constexpr std::size_t steps = 3000;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        Together engines = engines_of(chains, 2e-8, set, sensors);
        REQUIRE(engines.lanes != nullptr);
        std::vector<dynamics::SensorTrace> traces(few);
        // The wave passes beads 3 and 5. The force at bead 3 exceeds the limit of every chain, the
        // velocity of bead 5 that of the second chain alone.
        std::vector<std::size_t> exceeds(sensors.size(), steps);
        for (std::size_t i = 0; i < few; ++i) {
            dynamics::SensorTrace& trace = traces[i];
            trace.beads = sensors;
            engines.alone[i]->advance(steps, trace);
            const dynamics::LaneLimits limits = engines.lanes->limits(i);
            for (std::size_t s = 0; s < sensors.size(); ++s) {
                const std::size_t at = limits.place[s] * limits.row;
                limits.strongest[at] = s == 1 ? 30.0 : 1e6;
                limits.fastest[at] = s == 2 && i == 1 ? 0.5 : 1e6;
                limits.slowest[at] = -1e6;
                for (std::size_t k = 0; k < exceeds[s]; ++k) {
                    if (trace.force[k * sensors.size() + s] > limits.strongest[at] ||
                        trace.velocity[k * sensors.size() + s] > limits.fastest[at])
                        exceeds[s] = k;
                }
            }
        }
        REQUIRE(exceeds[0] == steps);
        REQUIRE(exceeds[1] < exceeds[2]);
        REQUIRE(exceeds[2] < steps);
        engines.lanes->advance(steps);
        for (std::size_t i = 0; i < few; ++i) {
            const dynamics::LaneTrace lane = engines.lanes->trace(i);
            for (std::size_t s = 0; s < sensors.size(); ++s) {
                CAPTURE(s);
                const std::size_t first = lane.first[lane.place[s]];
                REQUIRE(first <= exceeds[s]);
                CHECK(exceeds[s] - first < 16);
                std::size_t different = 0;
                double strongest = 0.0;
                for (std::size_t k = 0; k < steps; ++k) {
                    const double force = traces[i].force[k * sensors.size() + s],
                                 velocity = traces[i].velocity[k * sensors.size() + s];
                    strongest = std::max(strongest, force);
                    if (k + 1 < first && k + 1 < steps) continue;
                    const std::size_t at = (lane.place[s] * steps + k) * lane.row;
                    different += lane.force[at] != force || lane.velocity[at] != velocity;
                }
                CHECK(different == 0);
                CHECK(lane.strongest[lane.place[s] * lane.row] == strongest);
            }
        }
    }
}

TEST_CASE("chains of which some are uniform and others not step alone") {
    chain::Scenario scenario = steel_chain(40, 1.77, law_settings("hertz"), 1e-4);
    std::vector<chain::Chain> chains = variants(scenario, 2);
    scenario.segments[1].disorder = 0.01;
    scenario.segments[1].seed = 3;
    chains.push_back(chain::build_chain(scenario));
    const auto& set = simd::instruction_sets().front();
    CHECK(engines_of(chains, 2e-8, set, {}).lanes == nullptr);
    chains.pop_back();
    CHECK(engines_of(chains, 2e-8, set, {}).lanes != nullptr);
    SUBCASE("another length") {
        scenario = steel_chain(41, 1.77, law_settings("hertz"), 1e-4);
    }
    SUBCASE("another law") {
        scenario = steel_chain(40, 1.77, law_settings("flores"), 1e-4);
    }
    SUBCASE("a driven end") {
        scenario.left = {.kind = chain::EndKind::driven,
                         .drive = stepping::Drive::sine(8e4, -5e-7, 1.5)};
    }
    chains.push_back(chain::build_chain(scenario));
    CHECK(engines_of(chains, 2e-8, set, {}).lanes == nullptr);
}

TEST_CASE("a chain that is no longer finite does not disturb those beside it") {
    const chain::Scenario scenario = steel_chain(20, 1.77, law_settings("ma-liu"), 1e-4);
    std::vector<chain::Chain> chains = variants(scenario, 2);
    chain::Scenario wild = scenario;
    wild.segments[0].velocity = 1e200;
    chains.insert(chains.begin(), chain::build_chain(wild));
    const auto& set = simd::instruction_sets().front();
    Together engines = engines_of(chains, 2e-8, set, {3});
    REQUIRE(engines.lanes != nullptr);
    engines.lanes->advance(500);
    dynamics::SensorTrace trace;
    for (const std::size_t i : {1, 2}) {
        engines.alone[i]->advance(500, trace);
        CHECK(saved(*engines.together[i]) == saved(*engines.alone[i]));
        CHECK_FALSE(engines.together[i]->first_non_finite());
    }
    CHECK(engines.together[0]->first_non_finite());
}

}  // namespace beadwave::validation::chain_lanes_test
