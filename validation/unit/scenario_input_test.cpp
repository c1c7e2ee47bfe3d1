// The input of scenarios: overrides, warnings, places, and errors.

#include "bad_scenarios.hpp"
#include "beadwave/input_error.hpp"
#include "scenario_texts.hpp"

namespace beadwave::validation::scenario_input_test {

TEST_CASE("a setting without effect gives a warning and is not refused") {
    const std::string floor =
        "\"flores\"\nrestitution = 0.65\nimpact_speed = 2\nmin_impact_speed = 0.1";
    CHECK(read(documented_scenario, {"law.name=hertz"}).warnings ==
          Overrides{"law.psi has no effect: hertz does not take it",
                    "law.xi has no effect: hertz does not take it"});
    CHECK(read(edited(shortest_scenario, "\"hertz\"", floor)).warnings ==
          Overrides{"law.min_impact_speed has no effect: law.impact_speed is not \"per-contact\""});
    CHECK(read(edited(shortest_scenario, "mass = 1", "mass = 1\nseed = 3")).warnings ==
          Overrides{"segment.0.seed has no effect: the segment has no disorder"});
}

TEST_CASE("overrides set values and elements of lists, and add tables that are not in the file") {
    const chain::Scenario s =
        read(documented_scenario,
             {"segment.0.velocity=2", "sensors.beads=[9, 16]", "sensors.beads[1]=17",
              "time.step = 2e-8", "gravity.acceleration=9.81", "title=a = b",
              "boundary.left={kind = \"wall\", gap = 1e-3}", "segment.1.beads=20",
              "segment.1.beads=30"})
            .scenario;
    CHECK(s.segments[0].velocity == 2.0);
    CHECK(s.segments[1].beads == 30);
    CHECK(s.sensors->ids == std::vector<std::int64_t>{9, 17});
    CHECK(s.time.step == 2e-8);
    CHECK(s.gravity.value().acceleration == 9.81);
    CHECK(s.title == "a = b");
    CHECK(s.left.gap == 1e-3);
}

TEST_CASE("the value of an override is TOML, otherwise a string") {
    CHECK(read(shortest_scenario, {"title=plain words"}).scenario.title == "plain words");
    CHECK(read(shortest_scenario, {"title=\"in quotes\""}).scenario.title == "in quotes");
    CHECK(read(shortest_scenario, {"title=[unclosed"}).scenario.title == "[unclosed");
    CHECK(read(shortest_scenario, {"title=1\nlaw = 2"}).scenario.title == "1\nlaw = 2");
    CHECK(error_of(shortest_scenario, {"title=5"}) ==
          "--set title = 5: must be a string, not a number");
}

TEST_CASE("the text as run is the file's own, or with overrides reads back to the same scenario") {
    CHECK(read(documented_scenario).scenario.text == documented_scenario);

    const Overrides overrides = {"time.step=1.2345678901234567e-8", "segment.0.radius=0.1",
                                 "boundary.right={kind=\"wall\",gap=0.3}",
                                 "title=a \"quoted\"\ttitle\nof two lines"};
    const chain::Scenario once = read(documented_scenario, overrides).scenario;
    CHECK(once.text.find("step = 1.2345678901234567e-08\n") != std::string::npos);
    CHECK(once.text.find("radius = 0.1\n") != std::string::npos);
    const chain::Scenario again = read(once.text).scenario;
    CHECK(again.title == "a \"quoted\"\ttitle\nof two lines");
    CHECK(again.time.step == 1.2345678901234567e-8);
    CHECK(again.time.end == once.time.end);
    CHECK(again.segments[0].radius == 0.1);
    CHECK(again.segments[1].mass == once.segments[1].mass);
    CHECK(again.materials.at("steel316").elasticity.youngs_modulus == 193e9);
    CHECK(again.right.gap == 0.3);
    CHECK(again.sensors->ids == once.sensors->ids);
    CHECK(read(once.text, {"time.step=1.2345678901234567e-8"}).scenario.text == once.text);
}

TEST_CASE("the place of every key is known after reading") {
    const io::ReadScenario result =
        read(documented_scenario, {"segment.1.radius=3e-3", "gravity.acceleration=9.81"});
    const scenario::Origin& origin = result.scenario.origin;
    const auto place = [&](std::string_view key) {
        return without_path(origin.of(key), origin.file());
    };
    CHECK(place("title") == R"(FILE:1: title = "70 stainless-steel beads struck at 1.77 m/s")");
    CHECK(place("material") == "FILE:3: material");
    CHECK(place("material.steel316.density") == "FILE:7: material.steel316.density = 7970");
    CHECK(place("segment.1") == "FILE:16: segment.1");
    CHECK(place("segment.1.mass") == "FILE:19: segment.1.mass = 0.00045");
    CHECK(place("segment.1.velocity") == "FILE:16: segment.1.velocity");
    CHECK(place("segment.1.radius") == "--set segment.1.radius = 0.003");
    CHECK(place("gravity.acceleration") == "--set gravity.acceleration = 9.81");
    CHECK(place("law.name") == R"(FILE:24: law.name = "ma-liu")");
    CHECK(place("sensors.beads") == "FILE:37: sensors.beads = [9, 16, 24, 31, 40, 50, 56, 63]");
    CHECK(place("sensors.beads[2]") == "FILE:37: sensors.beads[2] = 24");
    CHECK(place("precompression.force") == "FILE: precompression.force");
}

TEST_CASE("a wrong scenario is refused in one clear sentence") {
    CHECK_NOTHROW(read(right_scenario));
    for (const BadInput& input : bad_scenarios()) {
        CAPTURE(input.name);
        const std::string error = error_of(spoiled(right_scenario, input), input.sets);
        CHECK_MESSAGE(matches(error, input.message), error, "\nexpected ", input.message);
    }
}

TEST_CASE("a scenario can be read even if no chain can be built from it") {
    for (const BadInput& input : impossible_scenarios()) {
        CAPTURE(input.name);
        CHECK_NOTHROW(read(spoiled(right_scenario, input), input.sets));
    }
}

TEST_CASE("long values are cut short in messages") {
    const std::string title = "\"" + std::string(200, 'x') + "\"";
    CHECK(error_of(edited(shortest_scenario, "end = 1", "end = " + title)) ==
          "FILE:12: time.end = \"" + std::string(56, 'x') +
              "...: must be a number above 0, in s, not a string");
}

TEST_CASE("a file that cannot be read is refused") {
    const Folder folder;
    const auto error = [](const std::filesystem::path& path) -> std::string {
        try {
            io::read_scenario(path);
            return "no error";
        } catch (const InputError& refused) {
            return without_path(refused.what(), path.string());
        }
    };
    CHECK(error(folder / "missing.toml") == "FILE: no such file");
    CHECK(error(folder / "") == "FILE: is a folder, not a file");
    write_file(folder / "chain.toml", "");
    CHECK(error(folder / "chain.toml/inside.toml") == "FILE: cannot be read: Not a directory");
    CHECK(error("/dev/zero") == "FILE: is a binary file, not TOML");
    write_file(folder / "long.toml", std::string(65 << 20, '\n'));
    CHECK(error(folder / "long.toml") ==
          "FILE: is larger than 64 MiB, the most that beadwave reads");
}

}  // namespace beadwave::validation::scenario_input_test
