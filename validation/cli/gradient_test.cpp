// The command `gradient` as a person uses it: its JSON, and one sentence for wrong input.

#include "program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::gradient_test {
namespace {

const std::string example = BEADWAVE_SOURCE_DIR "/docs/examples/gradient";
const std::string packing = BEADWAVE_SOURCE_DIR "/docs/examples/gradient_packing";

std::string refusal(const std::string& objective, const std::string& inputs,
                    const std::string& more = "", const std::string& of = example) {
    const Folder folder;
    write_file(folder / "o.toml", "[[objective]]\n" + objective);
    const Said said = shell(folder, "beadwave gradient '" + of +
                                        ".toml' --objective o.toml "
                                        "--inputs " +
                                        inputs + " " + more);
    CHECK(said.status == 2);
    CHECK(said.out.empty());
    return said.err;
}

}  // namespace

TEST_CASE("gradient --json has a value and one number per bead or contact") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave gradient '" + example + ".toml' --objective '" + example +
                          "_objective.toml' --inputs mass,gap --check --json "
                          "--quiet");
    REQUIRE(said.status == 0);
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json.at("value").get<double>() > 80.0);
    CHECK(json.at("gradient").at("mass").size() == 12);
    CHECK(json.at("gradient").at("gap").size() == 13);  // contact 0 is the free left end
    CHECK(json.at("gradient").at("gap").at(0).get<double>() == 0.0);
    CHECK(json.at("check").at("largest_deviation").get<double>() < 1e-6);
    // Few states, the same bits.
    const Said few =
        shell(folder, "beadwave gradient '" + example + ".toml' --objective '" + example +
                          "_objective.toml' --inputs mass,gap --states 8 --json");
    REQUIRE(few.status == 0);
    const auto again = nlohmann::json::parse(few.out);
    CHECK(again.at("gradient") == json.at("gradient"));
    CHECK(json.at("states").get<int>() == 29);
    CHECK(again.at("states").get<int>() <= 8);
}

TEST_CASE("gradient of a packing has rows of vectors") {
    const Folder folder;
    const std::string command = "beadwave gradient '" + packing + ".toml' --objective '" + packing +
                                "_objective.toml' --inputs position,radius,gravity,restitution ";
    const Said right = shell(folder, command + "--json --states 20");
    REQUIRE(right.status == 0);
    const auto json = nlohmann::json::parse(right.out);
    CHECK(json.at("gradient").at("position").size() == 9);
    CHECK(json.at("gradient").at("position").at(8).size() == 3);
    CHECK(json.at("gradient").at("radius").size() == 9);
    CHECK(json.at("gradient").at("gravity").at(0).size() == 3);
    CHECK(json.at("gradient").at("restitution").size() == 1);
    CHECK(json.at("states").get<int>() <= 20);
    const Said twice = shell(folder, command + "--json --threads 2");
    REQUIRE(twice.status == 0);
    CHECK(nlohmann::json::parse(twice.out).at("gradient") == json.at("gradient"));
    CHECK(shell(folder, command).out.find("at particle") != std::string::npos);
}

TEST_CASE("wrong input of a packing's gradient is one sentence") {
    const std::string peak = "kind = \"peak\"\nwall = 0\n";
    const auto says = [&](const std::string& objective, const std::string& inputs,
                          const std::string& more, const char* what) {
        const std::string told = refusal(objective, inputs, more, packing);
        CAPTURE(told);
        CHECK(told.find(what) != std::string::npos);
    };
    says(peak, "gap", "", "there is no input \"gap\" of this packing");
    says(peak, "masses", "", "did you mean \"mass\"?");
    says("kind = \"peak\"\nwall = 2\n", "mass", "", "o.toml:3: objective.0.wall");
    says("kind = \"peak\"\nsensor = 2\n", "mass", "", "objective.0.axis: missing");
    says("kind = \"peak\"\ncontact = 2\n", "mass", "", "objective.0.contact");
    says("kind = \"energy\"\nbeads = [0, 1]\n", "mass", "", "objective.0.beads");
    says(peak + "axis = \"x\"\n", "mass", "", "a wall's force is along its normal");
    says(peak, "mass", "--set wall.1.mass=1", "wall 1 has a mass that a load moves");
    says(peak, "mass", "--set precision='\"mixed\"'", "full precision");
    says(peak, "mass", "--set law.name=jkr --set law.adhesion_energy=0.1", "its law has adhesion");
}

TEST_CASE("wrong input of a gradient is one sentence") {
    const std::string peak = "kind = \"peak\"\nsensor = 3\n";
    CHECK(refusal(peak, "radii").find("did you mean \"radius\"?") != std::string::npos);
    CHECK(refusal(peak, "mass,mass").ends_with("--inputs: mass is given twice\n"));
    CHECK(refusal("kind = \"peak\"\nsensor = 12\n", "mass").find("o.toml:3: objective.0.sensor") !=
          std::string::npos);
    CHECK(refusal("kind = \"peek\"\nsensor = 1\n", "mass").find("did you mean \"peak\"?") !=
          std::string::npos);
    CHECK(refusal("kind = \"peak\"\nsensor = 1\ntime = [0, 1]\n", "mass")
              .find("lies outside the run, which ends at 0.0002 s") != std::string::npos);
    CHECK(refusal("kind = \"energy\"\n", "mass").find("must be [first, last]") !=
          std::string::npos);
    CHECK(refusal(peak, "mass", "--set law.name=jkr --set law.adhesion_energy=0.1")
              .find("its law has adhesion") != std::string::npos);
    CHECK(refusal(peak, "mass", "--states 1").find("--states") != std::string::npos);
    CHECK(refusal(peak, "mass", "--set time.sleep_speed=1e-9").find("puts beads to sleep") !=
          std::string::npos);
}

}  // namespace beadwave::validation::gradient_test
