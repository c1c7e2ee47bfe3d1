// Numbers that are not finite are detected by the real engines, on every instruction set, within
// one block of steps.

#include "beadwave/laws/catalogue.hpp"
#include "beadwave/running/simulation.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "running/chain_system.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace beadwave::validation::not_finite_test {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double step = 2e-8;
constexpr std::int64_t block = 1024;  // the longest between two checks of a run

struct Kind {
    std::string name;
    std::function<std::unique_ptr<dynamics::Engine>(const chain::Chain&)> make;
};

/// The plain engine, and the tiled engine with one tile and with many, on every instruction set.
std::vector<Kind> kinds() {
    std::vector<Kind> all{{"plain", [](const chain::Chain& chain) {
                               return dynamics::make_plain_engine(chain, step);
                           }}};
    const std::vector<dynamics::TileShape> shapes{{.beads = 1000},
                                                  {.beads = 24, .steps = 13},
                                                  {.beads = 24, .steps = 13, .sleep_speed = 1e-6}};
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const dynamics::TileShape& shape : shapes) {
            all.push_back({std::string(set.name) + ", tiles of " + std::to_string(shape.beads) +
                               (shape.sleep_speed > 0.0 ? ", sleepy" : ""),
                           [&set, shape](const chain::Chain& chain) {
                               return dynamics::make_tiled_engine(chain, step, 1, shape, set);
                           }});
        }
    }
    return all;
}

std::vector<std::string> laws_that_run() {
    std::vector<std::string> names;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.refused.empty()) names.push_back(std::string(entry.name));
    }
    return names;
}

/// Squeezed, so that every contact is closed except the first, which the striker closes.
chain::Chain squeezed(const std::string& law, bool alike) {
    chain::Scenario scenario = steel_chain(71, 0.5, law_settings(law), 1e-4);
    scenario.precompression = 10.0;
    if (!alike) {
        scenario.segments[1].disorder = 0.01;
        scenario.segments[1].seed = 3;
    }
    return chain::build_chain(scenario);
}

/// With one parameter of the law of one contact replaced.
chain::Chain with_law_number(const chain::Chain& chain, std::size_t contact, std::size_t field,
                             double number) {
    chain::Chain broken = chain;
    broken.contacts = {};
    for (std::size_t c = 0; c < chain.contacts.count(); ++c) {
        laws::AnyLaw law = chain.contacts.at(c);
        if (c == contact) law.numbers()[field] = number;
        broken.contacts.add_kind(law, chain.contacts.effective_mass(c));
        broken.contacts.add(c);
    }
    return broken;
}

/// Whether the engine detects a number that is not finite after one block, within a few beads.
bool found(dynamics::Engine& engine, std::size_t bead) {
    dynamics::SensorTrace none;
    engine.advance(block, none);
    const auto broken = engine.first_non_finite();
    // By then it has spread over at most `block` beads, but it cannot start behind its place.
    return broken && *broken <= bead;
}

}  // namespace

TEST_CASE("a sound chain stays finite under every law") {
    for (const std::string& law : laws_that_run()) {
        for (const bool alike : {true, false}) {
            const chain::Chain chain = squeezed(law, alike);
            for (const Kind& kind : kinds()) {
                CAPTURE(law);
                CAPTURE(kind.name);
                const auto engine = kind.make(chain);
                CHECK_FALSE(engine->first_non_finite());
                dynamics::SensorTrace none;
                engine->advance(block, none);
                CHECK_FALSE(engine->first_non_finite());
            }
        }
    }
}

TEST_CASE("a number of the state that is not finite is detected under every law") {
    for (const std::string& law : laws_that_run()) {
        const chain::Chain chain = squeezed(law, law.size() % 2 == 0);
        // One law of each kind is tested in every place and with every number, the others only in
        // the middle, because all combinations would take minutes.
        const bool thorough =
            law == "hertz" || law == "flores" || law == "ma-liu" || law == "thornton";
        for (const Kind& kind : kinds()) {
            const auto engine = kind.make(chain);
            std::vector<std::vector<double>> sound;
            for (const dynamics::StateColumn& column : engine->state())
                sound.emplace_back(column.values.begin(), column.values.end());
            for (std::size_t k = 0; k < sound.size(); ++k) {
                const std::string name = engine->state()[k].name;
                if (name.starts_with("initial") || name.starts_with("sleep")) continue;
                for (const std::size_t at :
                     {std::size_t{0}, std::size_t{37}, sound[k].size() - 1}) {
                    for (const double number : {not_a_number, infinity, -infinity}) {
                        if (!thorough && (at != 37 || !std::isnan(number))) continue;
                        CAPTURE(law);
                        CAPTURE(kind.name);
                        CAPTURE(name);
                        CAPTURE(at);
                        CAPTURE(number);
                        const auto columns = engine->state();
                        for (std::size_t j = 0; j < sound.size(); ++j)
                            std::ranges::copy(sound[j], columns[j].values.begin());
                        columns[k].values[at] = number;
                        engine->continue_at(0);
                        REQUIRE(engine->first_non_finite());
                        CHECK(*engine->first_non_finite() == std::min<std::size_t>(at, 70));
                        REQUIRE(found(*engine, at));
                    }
                }
            }
        }
    }
}

TEST_CASE("a parameter that is not a number is detected under every law") {
    for (const std::string& law : laws_that_run()) {
        for (const bool alike : {true, false}) {
            if (sanitised && alike) continue;
            const chain::Chain chain = squeezed(law, alike);
            std::vector<chain::Chain> broken;
            for (const std::size_t bead : {std::size_t{0}, std::size_t{37}, std::size_t{70}}) {
                broken.push_back(chain);
                broken.back().mass[bead] = not_a_number;
                // Contact 0 has no wall.
                broken.push_back(chain);
                broken.back().gap[std::max<std::size_t>(bead, 1)] = not_a_number;
            }
            const std::size_t fields = chain.contacts.law_fields();
            for (std::size_t field = 0; field < fields; ++field) {
                for (const std::size_t contact : {1, 37, 70})
                    broken.push_back(with_law_number(chain, contact, field, not_a_number));
            }
            const std::vector<Kind> two{kinds().front(), kinds()[1]};
            for (const chain::Chain& one : broken) {
                for (const Kind& kind : two) {
                    CAPTURE(law);
                    CAPTURE(kind.name);
                    REQUIRE(found(*kind.make(one), 70));
                }
            }
        }
    }
}

TEST_CASE("numbers that grow without bound are detected on every instruction set") {
    for (const std::string law : {"hertz", "flores", "ma-liu", "thornton"}) {
        for (const bool alike : {true, false}) {
            const chain::Chain sound = squeezed(law, alike);
            for (const Kind& kind : kinds()) {
                CAPTURE(law);
                CAPTURE(kind.name);
                // So light that every step throws it out of the chain.
                chain::Chain chain = sound;
                for (double& mass : chain.mass)
                    mass *= 1e-200;
                CHECK(found(*kind.make(chain), 70));
                // So stiff that its force overflows.
                chain = with_law_number(sound, 37, 0, 1e308);
                chain.gap[37] = -1e305;
                CHECK(found(*kind.make(chain), 70));
            }
        }
    }
}

TEST_CASE("a run that is not finite ends and names the bead, on every instruction set") {
    chain::Scenario scenario = steel_chain(300, 1.77, law_settings("flores"), 1e-4);
    const chain::Chain chain = chain::build_chain(scenario);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const auto engine = dynamics::make_tiled_engine(chain, step, 2, {.beads = 48}, set);
        engine->state()[0].values[100] = not_a_number;
        engine->continue_at(0);
        const stepping::TimeStep time{
            .step = step, .count = 5000, .shortest_contact = 0.0, .largest_speed = 1.0};
        CHECK_THROWS_AS(running::simulate(running::settings_of(scenario), chain, time, *engine, {}),
                        running::RunError);
        CHECK(engine->step() <= block);
    }
}

}  // namespace beadwave::validation::not_finite_test
