// Derivatives of the forces of sensors, by dual numbers through laws, memory and steps, compared
// with differences of runs of the tiled engine.

#include "derivatives.hpp"

#include "beadwave/laws/catalogue.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "tangent/tangent_engine.hpp"

#include <set>
#include <string>

namespace beadwave::validation::derivatives_test {

namespace {

std::string text_of(const laws::Value& value) {
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.17e}", *number);
    return '"' + std::get<std::string>(value) + '"';
}

/// With every parameter of the law.
void vary_law(VariedScenario& chain, const laws::Entry& entry) {
    chain.settings.push_back("law.name=" + entry.name);
    const laws::Settings standard = law_settings(entry.name);
    for (const laws::Parameter& p : entry.parameters) {
        const auto found = standard.values.find(p.name);
        if (found == standard.values.end() || p.name == "impact_speed") continue;
        laws::Value value = found->second;
        // A stiffness for any exponent, which does not follow from the two bodies.
        if (p.name == "stiffness" && standard.values.contains("exponent")) value = 5e9;
        const std::string key = "law." + std::string(p.name);
        chain.settings.push_back(key + "=" + text_of(value));
        const double* number = std::get_if<double>(&value);
        if (number == nullptr || *number == 0.0) continue;
        const double reach = 0.05 * std::abs(*number);  // within the range of the law
        const double low = std::max(p.lowest, *number - reach);
        const double high = std::min(p.highest, *number + reach);
        // Not the default value itself, which may have separate code.
        chain.varied.push_back({key, 0.53 * low + 0.47 * high, low, high});
    }
}

/// Laws whose force jumps in this motion. Differences of runs do not contain the contribution of
/// the instants of the jumps, so the test below uses longer differences for them.
const std::set<std::string> jumping{"kelvin-voigt", "anagnostopoulos", "wang-liu"};

}  // namespace

TEST_CASE("laws with adhesion have no derivatives by dual numbers, and the reason is given") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
    chain.vary("segment.0.velocity", 1.77);
    chain.settings.push_back("law.name=jkr");
    chain.settings.push_back("law.adhesion_energy=0.1");
    std::string why;
    CHECK(fit::by_dual_numbers(chain.problem(), why) == nullptr);
    CHECK(why == "its law has adhesion, whose necks form and break with a jump of the force");
}

TEST_CASE(
    "derivatives by dual numbers equal the differences of runs of the tiled engine, for every "
    "law") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.make || jumping.contains(entry.name)) continue;
        CAPTURE(entry.name);
        if (entry.family == "adhesion") continue;  // by differences: see the test below
        VariedScenario chain{.file = folder / "chain.toml", .settings = {}};
        chain.vary("segment.0.velocity", 1.77);
        chain.vary("material.steel.youngs_modulus", 193e9);
        chain.vary("segment.1.mass", 0.45e-3);
        vary_law(chain, entry);
        const fit::Response response = chain.derivatives();
        CHECK(response.by == "dual numbers");
        CHECK(response.forces == chain.forces());  // to the bit
        for (std::size_t k = 0; k < chain.varied.size(); ++k) {
            CAPTURE(chain.varied[k].key);
            CHECK_ABSOLUTE(chain.smallest_error(response, k), 0.0, 1e-6);
        }
    }
}

TEST_CASE("all numbers of a scenario have derivatives, not only those of laws") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    const auto check = [](const VariedScenario& chain) {
        const fit::Response response = chain.derivatives();
        CHECK(response.forces == chain.forces());
        for (std::size_t k = 0; k < chain.varied.size(); ++k) {
            CAPTURE(chain.varied[k].key);
            CHECK_ABSOLUTE(chain.smallest_error(response, k), 0.0, 1e-6);
        }
    };
    VariedScenario pressed{.file = folder / "chain.toml",
                           .settings = {"law.name=\"hunt-crossley\"", "law.restitution=0.8"}};
    SUBCASE("precompressed and damped: five numbers, three passes") {
        pressed.vary("precompression.force", 20.0);
        pressed.vary("segment.0.velocity", 0.1);
        pressed.vary("law.restitution", 0.8);
        pressed.vary("segment.1.radius", 2.38e-3);
        pressed.vary("material.steel.poisson_ratio", 0.3);
        check(pressed);
    }
    SUBCASE("driven ends") {
        pressed.settings.insert(
            pressed.settings.end(),
            {"segment.0.velocity=0.0", "law.impact_speed=0.1", "precompression.force=20.0",
             "boundary.left={kind=\"driven\", frequency=2e4, amplitude=1e-7}",
             "boundary.right={kind=\"driven\", frequency=3e4, amplitude=1e-7}"});
        pressed.vary("boundary.left.amplitude", 1e-7);
        pressed.vary("boundary.left.frequency", 2e4);
        pressed.vary("boundary.right.amplitude", 1e-7);
        pressed.vary("boundary.right.frequency", 3e4);
        check(pressed);
    }
    SUBCASE("a column in equilibrium under gravity, struck") {
        pressed.settings.insert(
            pressed.settings.end(),
            {"law.name=\"thornton\"", "boundary.right=\"fixed\"", "segment.0.velocity=0.5"});
        pressed.settings.erase(pressed.settings.begin(), pressed.settings.begin() + 2);
        pressed.vary("gravity.acceleration", 9.81);
        pressed.vary("segment.0.mass", 0.4e-3);
        check(pressed);
    }
}

TEST_CASE("a value for which a law has separate code has derivatives too") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    VariedScenario chain{.file = folder / "chain.toml",
                         .settings = {"law.name=\"power-law\"", "law.stiffness=5e9"}};
    chain.vary("law.exponent", 1.5);
    const fit::Response response = chain.derivatives();
    const std::vector<double> forces = chain.forces();
    REQUIRE(forces.size() == response.forces.size());
    for (std::size_t i = 0; i < forces.size(); ++i)
        CHECK_ABSOLUTE(response.forces[i], forces[i], 1e-8 * 100.0);
    CHECK_ABSOLUTE(chain.smallest_error(response, 0), 0.0, 1e-6);
}

TEST_CASE("a scenario without derivatives by dual numbers gives the reason") {
    const Folder folder;
    write_file(folder / "chain.toml", six_beads);
    const auto why_not = [&](std::vector<std::string> settings, const std::string& key, double low,
                             double high) {
        fit::FitProblem problem{.scenario = folder / "chain.toml",
                                .overrides = std::move(settings),
                                .keys = {key},
                                .low = {low},
                                .high = {high}};
        std::string why;
        CHECK(fit::by_dual_numbers(problem, why) == nullptr);
        return why;
    };
    const std::string speed = "segment.0.velocity";
    CHECK(why_not({"time.sleep_speed=1e-6"}, speed, 1.0, 2.0) ==
          "time.sleep_speed puts beads to sleep, which has no derivative");
    CHECK(why_not({}, "time.end", 5e-5, 6e-5) == "time.end changes the sample times or steps");
    const std::string outside = why_not({"law.name=\"tsuji\""}, "law.restitution", -0.1, 0.9);
    CHECK_MESSAGE(outside.find("law.restitution = -0.1") != std::string::npos, outside);
    write_file(folder / "chain.toml", "[[particles]]\n");
    CHECK(why_not({}, speed, 1.0, 2.0) == "only chains have derivatives by dual numbers");
}

TEST_CASE("every instruction set steps like the tiled engine and gives the same derivatives") {
    const auto sets = simd::instruction_sets();
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.make) continue;
        CAPTURE(entry.name);
        const chain::Chain chain =
            chain::build_chain(steel_chain(20, 1.77, law_settings(entry.name), 1e-4));
        dynamics::ChainNumbers faster(chain), heavier(chain), wider(chain);
        for (dynamics::ChainNumbers* change : {&faster, &heavier, &wider})
            change->clear();
        faster.velocity[0] = 1.0;
        heavier.mass[3] = 1.0;
        wider.gap[5] = 1.0;
        const std::vector<dynamics::ChainNumbers> changes{faster, heavier, wider};
        std::vector<double> first(changes.size()), derivatives(changes.size());
        for (std::size_t s = 0; s < sets.size(); ++s) {
            CAPTURE(sets[s].name);
            dynamics::TangentEngine engine(chain, 1e-7, changes, sets[s]);
            const auto tiled = dynamics::make_tiled_engine(chain, 1e-7, 1, {}, sets[s]);
            dynamics::SensorTrace trace{.beads = {4}, .force = {}, .velocity = {}};
            constexpr std::int64_t steps = 300;
            engine.advance(steps);
            tiled->advance(steps, trace);
            double force = 0.0;
            engine.read(4, force, derivatives);
            CHECK(force == trace.force.back());
            if (s == 0) first = derivatives;
            // Roots and logarithms differ by rounding, which grows over 300 steps; functions that
            // are evaluated number by number have differences in place of slopes.
            const bool looks_up = entry.name == "tabulated" || entry.name == "jian";
            for (std::size_t k = 0; k < changes.size(); ++k)
                CHECK_RELATIVE(derivatives[k], first[k], looks_up ? 1e-6 : 1e-9);
        }
    }
}

}  // namespace beadwave::validation::derivatives_test
