// Packings as a person runs them: every command on [[particles]], and what is refused.

#include "program.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace beadwave::validation;
using nlohmann::json;

namespace {

const std::string configs = "'" BEADWAVE_SOURCE_DIR "/configs/";
const std::string column = "run " + configs +
                           "settling_column.toml' --quiet --set particles.0.random=200 --set "
                           "'particles.0.upper=[0.02,0.02,0.02]' --set time.end=0.03 --set "
                           "snapshots.interval=1e-3 --set checkpoint.interval=2e-3 ";

constexpr const char* two_spheres = R"(dimension = 3
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
[[particles]]
position = [0, 0, 0]
radius = 1e-3
material = "steel"
velocity = [1, 0, 0]
[[particles]]
position = [2e-3, 1e-4, 0]
radius = 1e-3
material = "steel"
[law]
name = "hertz"
[friction]
law = "mindlin"
coefficient = 0.2
[time]
end = 2e-5
[sensors]
particles = [1, 0]
)";

/// The scenario with one piece of text replaced: what `run` says.
std::string refusal(const std::string& old, const std::string& with) {
    const Folder folder;
    std::string text = two_spheres;
    const std::size_t place = text.find(old);
    REQUIRE(place != std::string::npos);
    write_file(folder / "two.toml", text.replace(place, old.size(), with));
    const Said said = shell(folder, "beadwave run two.toml");
    CHECK(said.status == 2);
    CHECK(!std::filesystem::exists(folder / "two.h5"));
    return said.err;
}

bool has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return true;
    MESSAGE(text);
    return false;
}

}  // namespace

TEST_CASE("two spheres: --json holds what scripts ask for, and momentum is kept") {
    const Folder folder;
    write_file(folder / "two.toml", two_spheres);
    const Said said = shell(folder, "beadwave run two.toml --json --quiet --check");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json result = json::parse(said.out);
    CHECK(result.at("particles") == 2);
    CHECK(result.at("particle_steps_per_second") > 0.0);
    for (const char* entry :
         {"initial", "kinetic", "rotational", "stored", "dissipated", "friction", "work"})
        CHECK(result.at("energy").contains(entry));
    CHECK(std::abs(result.at("energy").at("residual").get<double>()) < 1e-5);
    CHECK(result.at("energy").at("rotational") > 0.0);
    for (const char* what : {"momentum", "angular_momentum"}) {
        CAPTURE(what);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double change = result.at(what).at(axis).get<double>() -
                                  result.at(std::string("initial_") + what).at(axis).get<double>();
            CHECK(std::abs(change) < 1e-17);  // of 3e-5 kg m/s, and as much times 1e-4 m
        }
    }
    CHECK(result.at("sensors").at(0).at("particle") == 1);
    CHECK(result.at("sensors").at(0).at("peak_contact_force") > 1.0);
    CHECK(result.at("sensors").at(0).at("peak_contact_force_time") > 0.0);
    CHECK(result.at("sensors").at(1).at("peak_speed") >= 1.0);
    // Of second order: a quarter of the error goes with half the step.
    CHECK(std::abs(result.at("check").at("difference").at("energy").at("kinetic").get<double>()) <
          1e-4 * result.at("energy").at("initial").get<double>());
}

TEST_CASE("a killed packing goes on to the bit, on another number of threads") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave " + column + "--threads 1 -o whole.h5").status == 0);
    const Said killed = shell(
        folder,
        "'" BEADWAVE_PROGRAM "' " + column +
            "--threads 1 -o cut.h5 & p=$!; while kill -0 $p && [ ! -e cut.h5.checkpoint.h5 ]; "
            "do sleep 0.01; done 2>/dev/null; kill -9 $p; wait $p");
    REQUIRE(killed.status == 137);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet --threads 2").status == 0);
    const Said same =
        shell(folder, BEADWAVE_PYTHON
              " '" BEADWAVE_SOURCE_DIR
              "/validation/cli/compare_histories.py' whole.h5 cut.h5 --but /parameters/threads");
    CHECK_MESSAGE(same.status == 0, same.out, same.err);
    CHECK(!std::filesystem::exists(folder / "cut.h5.checkpoint.h5"));
}

TEST_CASE("sweep, compare, watch and report take packings") {
    const Folder folder;
    write_file(folder / "two.toml", two_spheres);
    const Said sweep = shell(
        folder, "beadwave sweep two.toml --vary friction.coefficient=0.1,0.3 -o t.h5 --quiet");
    REQUIRE_MESSAGE(sweep.status == 0, sweep.err);
    CHECK(has(read_file(folder / "t.csv"), "peak_contact_force_1_N"));
    CHECK(has(read_file(folder / "t.csv"), "friction_energy_J"));
    const Said compare = shell(
        folder, "beadwave compare two.toml --laws hertz,flores --set law.restitution=0.7 --json");
    REQUIRE_MESSAGE(compare.status == 0, compare.err);
    const json laws = json::parse(compare.out).at("laws");
    CHECK(laws.at(0).at("sensors").at(0).at("particle") == 1);
    CHECK(laws.at(1).at("dissipated_energy") > 0.0);

    REQUIRE(shell(folder, "beadwave run two.toml --quiet --set snapshots.interval=1e-6 -o two.h5")
                .status == 0);
    const Said watch = shell(folder, "beadwave watch two.h5");
    CHECK_MESSAGE(watch.status == 0, watch.err);
    CHECK(has(watch.out, "at particle "));
    const Said report = shell(folder, "beadwave report two.h5 --xdmf two.xdmf2");
    REQUIRE_MESSAGE(report.status == 0, report.err);
    const std::string page = read_file(folder / "two.html");
    for (const char* panel : {"packing", "front", "traces", "energy"})
        CHECK(has(page, std::string("<section id=\"") + panel + "\""));
    CHECK(page.find("class=\"missing\"") == std::string::npos);
    CHECK(has(read_file(folder / "two.xdmf2"), "force chains"));
}

TEST_CASE("what a packing cannot be is refused with its place") {
    CHECK(has(refusal("[sensors]\nparticles = [1, 0]", "[sensors]\nparticles = [2]"),
              "this packing has particles 0 to 1"));
    CHECK(has(refusal("law = \"mindlin\"", "law = \"mindlim\""), "did you mean \"mindlin\"?"));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", "position = [2e-3, 1e-4]"),
              "must be a list of 3 numbers, in m, not of 2"));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", "lattice = \"fccc\""), "\"fcc\""));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", ""), "say where the particles are"));
    CHECK(
        has(refusal("position = [2e-3, 1e-4, 0]", "position = [2e-3, 1e-4, 0]\ncells = [1, 1, 1]"),
            "goes with lattice, not with position"));
    CHECK(has(refusal("dimension = 3", "dimension = 4"), "from 2 to 3"));
    CHECK(has(refusal("density = 7970", ""), "give mass (kg) here or density"));
    CHECK(has(refusal("[time]\nend = 2e-5", "[time]\nend = 2e-5\nsleep_speed = 1e-3"),
              "sleep_speed"));
    CHECK(has(refusal("[friction]",
                      "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 0]\nmaterial = "
                      "\"steel\"\n[friction]"),
              "must point from the wall to the particles"));
    CHECK(has(refusal("[friction]",
                      "[box]\nlower = [0, 0, 0]\nupper = [1e-3, 1, 1]\nperiodic = [true, false, "
                      "false]\n[friction]"),
              "wide along x"));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]\nradius = 1e-3", "file = \"nowhere.csv\""),
              "nowhere.csv"));
}

TEST_CASE("particles from a CSV file, and the same written one by one, are the same") {
    const Folder folder;
    std::string text = two_spheres;
    const std::size_t from = text.find("[[particles]]"), to = text.find("[law]");
    text.replace(from, to - from, "[[particles]]\nfile = \"two.csv\"\nmaterial = \"steel\"\n");
    write_file(folder / "listed.toml", text);
    write_file(folder / "two.csv",
               "# two\nradius_m,x_m,y_m,z_m,vx_m_per_s\n1e-3,0,0,0,1\n1e-3,2e-3,1e-4,0,0\n");
    write_file(folder / "two.toml", two_spheres);
    const auto energy = [&](const std::string& name) {
        const Said said = shell(folder, "beadwave run " + name + ".toml --json --quiet");
        REQUIRE_MESSAGE(said.status == 0, said.err);
        return json::parse(said.out).at("energy");
    };
    CHECK(energy("listed") == energy("two"));
    write_file(folder / "two.csv", "x_m,y_m,z_m,radius_m\n0,0,0,-1e-3\n");
    const Said bad = shell(folder, "beadwave run listed.toml");
    CHECK(bad.status == 2);
    CHECK(has(bad.err, "two.csv, line 2: radius_m must be above 0"));
}
