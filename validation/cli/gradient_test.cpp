// The command `gradient` as a person uses it: its JSON, and one sentence for wrong input.

#include "program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::gradient_test {
namespace {

const std::string example = BEADWAVE_SOURCE_DIR "/docs/examples/gradient";

std::string refusal(const std::string& objective, const std::string& inputs,
                    const std::string& more = "") {
    const Folder folder;
    write_file(folder / "o.toml", "[[objective]]\n" + objective);
    const Said said = shell(folder, "beadwave gradient '" + example +
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
