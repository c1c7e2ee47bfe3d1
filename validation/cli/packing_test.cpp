// Packings on the command line: every command on [[particles]], and the refused input.

#include "held_run.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace beadwave::validation::packing_test {

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

/// The error message of `run` for the scenario with one piece of text replaced.
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

TEST_CASE("two spheres: --json holds the documented names, and momentum is conserved") {
    const Folder folder;
    write_file(folder / "two.toml", two_spheres);
    const Said said = shell(folder, "beadwave run two.toml --json --quiet --check");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json result = json::parse(said.out);
    CHECK(result.at("particles") == 2);
    CHECK(result.at("particle_steps_per_second") > 0.0);
    const auto energy = [&](const char* entry) {
        return result.at("energy").at(entry).get<double>();
    };
    const double initial = energy("initial");
    const auto same = [&](double a, double b) { CHECK(std::abs(a - b) < 1e-14 * initial); };
    same(energy("translational") + energy("rotational"), energy("kinetic"));
    same(energy("normal") + energy("friction") + energy("rolling"), energy("dissipated"));
    same(energy("kinetic") + energy("stored") + energy("dissipated") - energy("external_work"),
         initial + energy("energy_error"));
    CHECK(std::abs(energy("relative_energy_error")) < 1e-5);
    CHECK(energy("largest_relative_energy_error") >= std::abs(energy("relative_energy_error")));
    CHECK(energy("rotational") > 0.0);
    CHECK(energy("rolling") == 0.0);
    CHECK(result.at("neighbour_list_builds") >= 0);
    CHECK(result.at("warnings").is_array());
    for (const char* what : {"momentum", "angular_momentum"}) {
        CAPTURE(what);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double change = result.at(what).at(axis).get<double>() -
                                  result.at(std::string("initial_") + what).at(axis).get<double>();
            CHECK(std::abs(change) < 1e-17);  // of 3e-5 kg m/s, and of 3e-9 kg m^2/s
        }
    }
    CHECK(result.at("sensors").at(0).at("particle") == 1);
    CHECK(result.at("sensors").at(0).at("peak_contact_force") > 1.0);
    CHECK(result.at("sensors").at(0).at("arrival_time") > 0.0);
    CHECK(result.at("sensors").at(1).at("peak_speed") >= 1.0);
    // The method is of second order: half the step gives a quarter of the error.
    CHECK(std::abs(result.at("check").at("difference").at("energy").at("kinetic").get<double>()) <
          1e-4 * result.at("energy").at("initial").get<double>());
}

TEST_CASE("the JSON of a pressed crystal has the stress of its contacts, below 0, as the history") {
    // Four spheres in a cube of edge sqrt(2) d, each with twelve contacts of the force F along d:
    // -1/V sum F d n n is -2 sqrt(2) F / d^2 along each axis. Nothing moves.
    const Folder folder;
    write_file(folder / "crystal.toml", R"(dimension = 3
[material.steel]
youngs_modulus = 200e9
poisson_ratio = 0.3
density = 8000
[[particles]]
lattice = "fcc"
cells = [3, 3, 3]
radius = 1e-3
overlap = 1e-6
material = "steel"
[box]
lower = [0, 0, 0]
upper = [8.481038733551452e-3, 8.481038733551452e-3, 8.481038733551452e-3]
periodic = [true, true, true]
[law]
name = "hertz"
[time]
end = 1e-6
[measure]
interval = 1e-6
)");
    const Said said = shell(folder, "beadwave run crystal.toml --json --quiet -o crystal.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json result = json::parse(said.out);
    const double overlap = 1e-6, d = 2e-3 - overlap, modulus = 200e9 / (2.0 * (1.0 - 0.09));
    const double force = 4.0 / 3.0 * modulus * std::sqrt(0.5e-3) * std::pow(overlap, 1.5);
    const double expected = -2.0 * std::sqrt(2.0) * force / (d * d);
    const double atoms = 4.0 / 3.0 * M_PI * 1e-9 / (d * d * d / std::sqrt(2.0));
    const json& stress = result.at("stress");
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            // The edge of the box has 16 digits, the overlap 3 fewer.
            CHECK(std::abs(stress[i][j].get<double>() - (i == j ? expected : 0.0)) <
                  1e-9 * std::abs(expected));
        }
    }
    CHECK(result.at("coordination") == 12.0);
    CHECK(std::abs(result.at("volume_fraction").get<double>() / atoms - 1.0) < 1e-12);
    write_file(folder / "last.py",
               "import h5py, json\n"
               "print(json.dumps(h5py.File('crystal.h5')['observables/stress/"
               "value'][-1].tolist()))\n");
    const Said last = shell(folder, BEADWAVE_PYTHON " last.py");
    REQUIRE_MESSAGE(last.status == 0, last.err);
    CHECK(json::parse(last.out) == stress);
}

TEST_CASE("a killed packing continues bitwise identically, on another number of threads") {
    const Folder folder;
    REQUIRE(shell(folder, "beadwave " + column + "--threads 1 -o whole.h5").status == 0);
    const Said killed = run_until(folder, column + "--threads 1 -o cut.h5", "3000", SIGKILL);
    REQUIRE(killed.status == 137);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet --threads 2").status == 0);
    check_same_histories(folder, "whole.h5", "cut.h5", "--but /parameters/threads");
    CHECK(!std::filesystem::exists(folder / "cut.h5.checkpoint.h5"));
}

TEST_CASE("MDAnalysis reads a packing, including its periodic box" * doctest::skip(sanitised)) {
    const Folder folder;
    const Said run =
        shell(folder, "beadwave run " + configs +
                          "fcc_crystal.toml' --quiet -o out.h5 --set time.end=1e-5 --set "
                          "snapshots.interval=1e-6 --set energy.interval=1e-6 --set "
                          "sensors.interval=1e-6");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said said = shell(folder, BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR
                                                    "/validation/cli/check_mdanalysis.py' out.h5");
    if (said.status == 77) {
        MESSAGE("skipped: " << said.out);
        return;
    }
    CHECK_MESSAGE(said.status == 0, said.err);
}

TEST_CASE("sweep, compare, watch and report work with packings") {
    const Folder folder;
    write_file(folder / "two.toml", two_spheres);
    const Said sweep =
        shell(folder, "beadwave sweep two.toml --vary friction.coefficient=0.1,0.3 -o t.h5");
    REQUIRE_MESSAGE(sweep.status == 0, sweep.err);
    CHECK(has(read_file(folder / "t.csv"), "peak_contact_force_1_N"));
    CHECK(has(read_file(folder / "t.csv"), "friction_dissipation_J"));
    CHECK(has(sweep.out, " particle-steps/s"));
    const Said table = shell(folder, BEADWAVE_PYTHON
                             " -c 'import h5py; t = h5py.File(\"t.h5\")[\"sweep\"]; "
                             "print(list(t[\"sensor_particles\"]), "
                             "list(t[\"sensor_arrival_time\"].attrs[\"particles\"]))'");
    CHECK_MESSAGE(table.out == "[1, 0] [1, 0]\n", table.out, table.err);
    const Said compare = shell(
        folder, "beadwave compare two.toml --laws hertz,flores --set law.restitution=0.7 --json");
    REQUIRE_MESSAGE(compare.status == 0, compare.err);
    const json laws = json::parse(compare.out).at("laws");
    CHECK(laws.at(0).at("sensors").at(0).at("particle") == 1);
    CHECK(laws.at(0).at("nanoseconds_per_particle_step") > 0.0);
    CHECK_FALSE(has(compare.err, " ns/particle-step "));  // not the table for people
    const Said table_of_laws =
        shell(folder, "beadwave compare two.toml --laws hertz,flores --set law.restitution=0.7");
    CHECK(has(table_of_laws.out, " ns/particle-step "));
    CHECK(laws.at(1).at("dissipated_energy") > 0.0);

    REQUIRE(shell(folder, "beadwave run two.toml --quiet --set snapshots.interval=1e-6 -o two.h5")
                .status == 0);
    const Said watch = shell(folder, "beadwave watch two.h5");
    CHECK_MESSAGE(watch.status == 0, watch.err);
    CHECK(has(watch.out, "at particle "));
    const Said report = shell(folder, "beadwave report two.h5 --xdmf two.xdmf2");
    REQUIRE_MESSAGE(report.status == 0, report.err);
    const std::string page = read_file(folder / "two.html");
    for (const char* panel : {"packing", "front", "traces", "energy", "wave-spectrum",
                              "sensor-spectrum", "spectrogram"})
        CHECK(has(page, std::string("<section id=\"") + panel + "\""));
    // Two panels need more bodies; the third such line is for browsers without JavaScript.
    CHECK(has(page, "class=\"missing\">Too few particles have neighbours"));
    CHECK(has(page, "class=\"missing\">The wave is in 2 bodies"));
    std::size_t missing = 0;
    for (std::size_t at = 0; (at = page.find("class=\"missing\"", at)) != std::string::npos; ++at)
        ++missing;
    CHECK(missing == 3);
    CHECK(has(page, "net contact force on its particle"));
    CHECK(has(read_file(folder / "two.xdmf2"), "force chains"));
}

TEST_CASE("an impossible packing is refused with the place of the error") {
    CHECK(has(refusal("[sensors]\nparticles = [1, 0]", "[sensors]\nparticles = [2]"),
              "this packing has particles 0 to 1"));
    CHECK(has(refusal("law = \"mindlin\"", "law = \"mindlim\""), "did you mean \"mindlin\"?"));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", "position = [2e-3, 1e-4]"),
              "must be a list of 3 numbers, in m, not of 2"));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", "lattice = \"fccc\""), "\"fcc\""));
    CHECK(has(refusal("position = [2e-3, 1e-4, 0]", ""), "place the particles by lattice"));
    CHECK(
        has(refusal("position = [2e-3, 1e-4, 0]", "position = [2e-3, 1e-4, 0]\ncells = [1, 1, 1]"),
            "belongs to lattice, not to position"));
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

TEST_CASE("particles from a CSV file equal the same particles written one by one") {
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

// The limit of open files is 1024 in most systems; the sanitizers have nothing to find in it.
TEST_CASE("a packing with 1200 walls that each name a file runs and is resumed" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "motion.csv",
               "time_s,displacement_m\n0,0\n1e-5,1e-8\n2e-5,2e-8\n1e-4,1e-7\n");
    std::string text = two_spheres;
    for (int i = 0; i < 1200; ++i) {
        text += "[[wall]]\npoint = [0, 0, " + std::to_string(-0.1 - 1e-4 * i) +
                "]\nnormal = [0, 0, 1]\nmaterial = \"steel\"\nfile = \"motion.csv\"\n";
    }
    write_file(folder / "walls.toml", text);
    const std::string run =
        "run walls.toml --quiet --threads 1 --set time.step=1e-8 --set "
        "checkpoint.interval=2e-6 -o ";
    REQUIRE(shell(folder, "beadwave " + run + "whole.h5").status == 0);
    REQUIRE(run_until(folder, run + "cut.h5", "300", SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

}  // namespace beadwave::validation::packing_test
