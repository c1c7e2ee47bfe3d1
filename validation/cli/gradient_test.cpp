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
    says("kind = \"transmission\"\nwall = 0\nincident = 1\n", "mass", "",
         "is given, but a transmission is that between two particles");
    says(peak, "law.mass", "", "there is no input \"law.mass\" of this packing");
    says(peak, "law.friction.coefficient", "", "there is no input \"law.friction.coefficient\"");
    says(peak, "mass", "--set wall.1.mass=1", "wall 1 has a mass that a load moves");
    says(peak, "mass",
         "--set friction.law=mindlin --set friction.coefficient=0.2 --set "
         "friction.viscous_coefficient=0.1",
         "its coefficient of friction depends on the slip speed");
    says(peak, "mass", "--set precision='\"mixed\"'", "full precision");
    says(peak, "mass", "--set law.name=jkr --set law.adhesion_energy=0.1", "its law has adhesion");
}

TEST_CASE("objectives of packings without walls or in the plane name what these have") {
    const std::string discs = R"(dimension = 2
[material.rubber]
youngs_modulus = 2e6
poisson_ratio = 0.45
density = 1100
[[particles]]
position = [0.0, 0.0]
radius = 3e-3
material = "rubber"
velocity = [0.2, 0.0]
[[particles]]
position = [0.0061, 0.0]
radius = 3e-3
material = "rubber"
[law]
name = "hertz"
[time]
end = 1e-3
step = 1e-5
)";
    const Folder folder;
    write_file(folder / "discs.toml", discs);
    const auto gives = [&](const std::string& objective) {
        write_file(folder / "o.toml", "[[objective]]\n" + objective);
        return shell(folder, "beadwave gradient discs.toml --objective o.toml --inputs mass");
    };
    CHECK(gives("kind = \"peak\"\nsensor = 1\naxis = \"x\"\n").status == 0);
    const Said along_z = gives("kind = \"peak\"\nsensor = 1\naxis = \"z\"\n");
    CHECK(along_z.status == 2);
    CHECK(along_z.err.find("expected \"x\" or \"y\"") != std::string::npos);
    const Said wall = gives("kind = \"peak\"\nwall = 0\n");
    CHECK(wall.status == 2);
    CHECK(wall.err.find("objective.0.wall: ") != std::string::npos);
    const Said missing = gives("kind = \"peak\"\naxis = \"x\"\n");
    CHECK(missing.status == 2);
    CHECK(missing.err.find("give the number of a particle from 0 to 1") != std::string::npos);
    CHECK(missing.err.find("wall") == std::string::npos);
    // Places over places: the ratio has no unit, and that of a particle with itself is 1.
    write_file(folder / "o.toml",
               "[[objective]]\nkind = \"transmission\"\nsensor = 1\nincident = 1\naxis = \"x\"\n"
               "quantity = \"position\"\n");
    const Said same =
        shell(folder, "beadwave gradient discs.toml --objective o.toml --inputs mass --json");
    REQUIRE(same.status == 0);
    CHECK(nlohmann::json::parse(same.out).at("value").get<double>() == 1.0);
}

TEST_CASE("a number at the edge of what its law allows has no derivative") {
    const Folder folder;
    // This law has a factor above 0 below 56.8958 m/s.
    const Said said =
        shell(folder, "beadwave gradient '" + packing + ".toml' --objective '" + packing +
                          "_objective.toml' --inputs impact_speed --set "
                          "'law={name=\"wang-c-star\", impact_speed=56.8}'");
    CHECK(said.status != 0);
    CAPTURE(said.err);
    CHECK(said.err.find(
              "have no derivative by impact_speed at 56.8: the number is at the edge of what "
              "the law allows") != std::string::npos);
}

TEST_CASE("laws whose derivative of steps is not that of the motion are named in a warning") {
    const auto warning = [](const std::string& law) {
        const Folder folder;
        return shell(folder, "beadwave gradient '" + packing + ".toml' --objective '" + packing +
                                 "_objective.toml' --inputs gravity " + law)
            .err;
    };
    CHECK(warning("").empty());
    const char* const steep = "depends on where within its step each contact closes";
    CHECK(warning("--set 'law={name=\"tsuji\", restitution=0.7}'").find(steep) !=
          std::string::npos);
    CHECK(warning("--set 'law={name=\"jackson-green\"}' --set material.rubber.yield_stress=2e4")
              .find("jump at the yield point") != std::string::npos);
}

TEST_CASE("threads share a packing's pairs and change no bit of its gradient") {
    // 540 pairs of 216 particles, and 36 with the floor: more than two threads take in one block.
    const std::string crowd = R"([material.rubber]
youngs_modulus = 2e6
poisson_ratio = 0.45
density = 1100
[[particles]]
lattice = "simple-cubic"
cells = [6, 6, 6]
radius = 2e-3
overlap = 1e-5
origin = [2e-3, 2e-3, 2e-3]
material = "rubber"
velocity = [0.3, -0.2, -0.5]
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "rubber"
[law]
name = "hertz"
[friction]
law = "mindlin"
coefficient = 0.3
[time]
end = 6e-4
step = 3e-5
)";
    const Folder folder;
    write_file(folder / "crowd.toml", crowd);
    write_file(folder / "o.toml", "[[objective]]\nkind = \"energy\"\nparticles = [0, 215]\n");
    const std::string command =
        "beadwave gradient crowd.toml --objective o.toml --inputs position,radius --json";
    const Said one = shell(folder, command), two = shell(folder, command + " --threads 2");
    CAPTURE(one.err);
    REQUIRE(one.status == 0);
    REQUIRE(two.status == 0);
    const auto json = nlohmann::json::parse(one.out);
    CHECK(json.at("gradient").at("radius").size() == 216);
    CHECK(json.at("gradient") == nlohmann::json::parse(two.out).at("gradient"));
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
