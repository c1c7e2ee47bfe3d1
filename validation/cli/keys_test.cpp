// `beadwave keys`: the schema of scenarios for people, programs, editors and the docs.

#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace beadwave::validation::keys_test {

using nlohmann::json;

namespace {

json entries(const std::string& name) {
    const Folder folder;
    const Said said = shell(folder, "beadwave keys " + name + " --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out).at("keys");
}

}  // namespace

TEST_CASE("keys names unit, range, default and meaning of one key") {
    const json keys = entries("segment.1.taper");
    REQUIRE(keys.size() == 1);
    CHECK(keys[0] == json{{"key", "segment.N.taper"},
                          {"type", "number"},
                          {"unit", "-"},
                          {"range", "above 0"},
                          {"needed", false},
                          {"default", "1"},
                          {"meaning",
                           "radius of a bead divided by the radius of the bead before it; the mass "
                           "follows the cube, of cylinders the square"},
                          {"scenarios", {"chain"}}});
    const Folder folder;
    const Said text = shell(folder, "beadwave keys time.step");
    CHECK(text.status == 0);
    CHECK(
        text.out ==
        "chain: Time\n  time.step [s]\n      time step\n      above 0, up to `time.end`; default: "
        "[chosen](SCENARIO.md#the-time-step); for chain, packing\n\n"
        "mechanism: Gravity, accuracy, time\n  time.step [s]\n"
        "      moreau-jean: the longest step; steps divide `time.interval` evenly\n"
        "      above 0; default: needed for `\"moreau-jean\"`; for mechanism\n");
}

TEST_CASE("keys selects a table or a kind of scenario") {
    const json radii = entries("radius");  // the last name of several
    CHECK(radii.size() > 4);
    for (const json& key : radii)
        CHECK(key.at("key").get<std::string>().ends_with(".radius"));
    const json sensors = entries("sensors");
    CHECK(sensors.size() == 4);  // beads, particles, interval, arrival_threshold
    for (const json& key : entries("packing")) {
        CAPTURE(key.dump());
        CHECK(std::ranges::find(key.at("scenarios"), "packing") != key.at("scenarios").end());
    }
    std::set<std::string> needed;
    for (const json& key : entries("chain")) {
        if (key.at("needed").get<bool>()) needed.insert(key.at("key").get<std::string>());
    }
    CHECK(needed ==
          std::set<std::string>{"material.NAME.youngs_modulus", "material.NAME.poisson_ratio",
                                "law.name", "boundary.left.kind", "gravity.acceleration",
                                "precompression.force", "resonator.N.mass", "load.N.bead",
                                "drive.N.bead", "bond.N.stiffness", "time.end", "sensors.beads",
                                "snapshots.interval", "dissipation.per", "energy.interval"});
}

TEST_CASE("keys refuses a name that nothing has") {
    const Folder folder;
    const Said said = shell(folder, "beadwave keys sensor.beads");
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    CHECK(said.err ==
          "beadwave: there is no key \"sensor.beads\"; did you mean \"sensors.beads\"? (beadwave "
          "keys lists all)\n");
}

TEST_CASE(
    "the pages of the scenario file and the JSON schema are the current schema of the program") {
    const Folder folder;
    const Said said =
        shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                      "/validation/cli/check_keys.py' '" BEADWAVE_PROGRAM
                                      "' '" BEADWAVE_SOURCE_DIR "/docs'");
    CHECK_MESSAGE(said.status == 0, said.out, said.err);
}

}  // namespace beadwave::validation::keys_test
