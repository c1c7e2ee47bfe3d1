// What a packing, a chain or a mechanism says of numbers that cannot be right: whole messages.

#include "held_run.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace beadwave::validation::packing_refusals_test {

using nlohmann::json;

namespace {

const std::string two = R"([material.steel]
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
[time]
end = 2e-5
)";

const std::string listed = R"([material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
[[particles]]
file = "p.csv"
material = "steel"
[law]
name = "hertz"
[time]
end = 2e-5
step = 1e-8
)";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
    const std::size_t place = text.find(old);
    REQUIRE(place != std::string::npos);
    return text.replace(place, old.size(), with);
}

std::string after(const std::string& text, const std::string& old, const std::string& more) {
    return replaced(text, old, old + more);
}

/// Runs a scenario that must be refused: status 2, one line, no file. Returns the line.
std::string refusal(const std::string& scenario, const std::string& options = "",
                    const std::string& csv = "") {
    const Folder folder;
    write_file(folder / "s.toml", scenario);
    if (!csv.empty()) write_file(folder / "p.csv", csv);
    const Said said = shell(folder, "beadwave run s.toml " + options);
    CHECK(said.status == 2);
    CHECK(std::ranges::count(said.err, '\n') == 1);
    CHECK(!std::filesystem::exists(folder / "s.h5"));
    CHECK(!std::filesystem::exists(folder / "s.running.h5"));
    return said.err;
}

const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";

/// `two`, so slow that steel does not yield.
const std::string slow = " --set 'particles.0.velocity=[0.1, 0, 0]'";

json warnings_of(const Folder& folder, const std::string& scenario_and_options) {
    const Said said = shell(folder, "beadwave run " + scenario_and_options + " --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out).at("warnings");
}

}  // namespace

TEST_CASE("two particles at one place are refused, both named, before the run") {
    CHECK(refusal(replaced(two, "[2e-3, 1e-4, 0]", "[0, 0, 0]")) ==
          "beadwave: s.toml:5: particles: particles 0 and 1 are both at (0, 0, 0) m; expected one "
          "place for each: is one of them there twice?\n");
    CHECK(refusal(replaced(two, "[2e-3, 1e-4, 0]", "[1e-15, 0, 0]")) ==
          "beadwave: s.toml:5: particles: particles 0 and 1, at (0, 0, 0) m and (1e-15, 0, 0) m, "
          "overlap by 0.002 m at the start; expected less than the smaller radius, 0.001 m\n");
    // Also across a periodic box.
    const std::string across = replaced(two, "[2e-3, 1e-4, 0]", "[9.5e-3, 0, 0]") +
                               "[box]\nlower = [0, 0, 0]\nupper = [1e-2, 1, 1]\nperiodic = [true, "
                               "false, false]\n";
    CHECK(refusal(across) ==
          "beadwave: s.toml:5: particles: particles 0 and 1, at (0, 0, 0) m and (0.0095, 0, 0) m, "
          "overlap by 0.0015 m at the start; expected less than the smaller radius, 0.001 m\n");
}

TEST_CASE("a box below two diameters is refused once, and one of two diameters is not") {
    const auto boxed = [](const char* width) {
        return two + "[box]\nlower = [-1e-3, 0, 0]\nupper = [" + width +
               ", 1, 1]\nperiodic = [true, false, false]\n";
    };
    CHECK(refusal(boxed("2.9e-3")) ==
          "beadwave: s.toml:18: box: 0.0039 m wide along x; expected at least 0.004 m, two of the "
          "largest diameters\n");
    const Folder folder;
    write_file(folder / "s.toml", boxed("3e-3"));
    CHECK(warnings_of(folder, "s.toml" + slow).empty());
}

TEST_CASE("a message about a wall names it once") {
    CHECK(
        refusal(two + "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"steel\"\n") ==
        "beadwave: s.toml:18: wall.0: the centre of particle 0 lies on it or behind it\n");
}

TEST_CASE("particle files of other programs are read, or the message says what to change") {
    CHECK(refusal(listed, "", "0 0 0 1e-3\n0.1 0 0 1e-3\n") ==
          "beadwave: p.csv, line 1: numbers without the names of their columns; expected a line "
          "before them, such as x_m y_m z_m radius_m\n");
    CHECK(refusal(listed, "", "#format x_y_z_r\n0,0,0,1e-3\n") ==
          "beadwave: p.csv, line 2: numbers without the names of their columns; expected a line "
          "before them, such as x_m,y_m,z_m,radius_m\n");
    CHECK(refusal(listed, "", "x_m,y_m,z_m,radius_m,mass_kg\n0,0,0,1e-3,1\n") ==
          "beadwave: p.csv: mass_kg: particles have the mass of their volume and of the density of "
          "their material; expected a file without this column\n");
    // A spreadsheet ends its lines with commas, the first one too or not.
    const Folder folder;
    write_file(folder / "s.toml", listed);
    for (const char* end : {"", ",,"}) {
        write_file(folder / "p.csv",
                   std::string("x_m,y_m,z_m,radius_m") + end + "\n0,0,0,1e-3,,\n0.1,0,0,1e-3,,\n");
        const Said run = shell(folder, "beadwave run s.toml --quiet --overwrite");
        CHECK_MESSAGE(run.status == 0, run.err);
    }
}

TEST_CASE(
    "random spheres that do not fit say how many do, and a box without volume that it has none") {
    const std::string random =
        replaced(listed, "file = \"p.csv\"",
                 "random = 90\nlower = [0, 0, 0]\nupper = [8e-3, 8e-3, 8e-3]\nradius = 1e-3");
    const std::string said = refusal(random);
    CHECK_MESSAGE(said.find(": no place for sphere ") != std::string::npos, said);
    CHECK_MESSAGE(said.find(" of 90 among the spheres placed before") != std::string::npos, said);
    CHECK(refusal(replaced(random, "upper = [8e-3, 8e-3, 8e-3]", "upper = [8e-3, 8e-3, -8e-3]"))
              .find("the region has no volume; expected `upper` above `lower` along every axis") !=
          std::string::npos);
    // Thinner than a sphere along z.
    CHECK(refusal(replaced(random, "upper = [8e-3, 8e-3, 8e-3]", "upper = [8e-3, 8e-3, 1e-3]"))
              .find(": no place for sphere 0 ") != std::string::npos);
}

TEST_CASE("numbers whose squares overflow are refused with their place") {
    const std::string head = "x_m,y_m,z_m,radius_m,vx_m_per_s\n0,0,0,1e-3,";
    CHECK(refusal(listed, "", head + "1e300\n0.1,0,0,1e-3,0\n") ==
          "beadwave: p.csv, line 2: vx_m_per_s is 1e+300; expected numbers from -1e+30 to 1e+30\n");
    CHECK(refusal(replaced(two, "velocity = [1, 0, 0]", "velocity = [1e300, 0, 0]"),
                  "--set time.step=1e-8") ==
          "beadwave: s.toml:5: particles: particle 0: velocity (1e+300, 0, 0) m/s; expected "
          "components up to 1e+30\n");
}

TEST_CASE("a run far shorter than any time is refused, for chains, packings and mechanisms") {
    for (const char* config : {"square_crystal", "newtons_cradle", "slider_crank"}) {
        CAPTURE(config);
        CHECK(refusal(read_file(configs + config + ".toml"), "--set time.end=1e-308") ==
              "beadwave: --set time.end = 1e-308: must be at least 1e-100, in s\n");
    }
}

TEST_CASE("an axis of a mechanism so short that its inverse overflows is refused") {
    CHECK(refusal(read_file(configs + "slider_crank_guide.toml"),
                  "--set 'contact.0.axis=[1e-320, 0]'") ==
          "beadwave: --set contact.0.axis = [1e-320, 0]: contact \"guide\": axis has length "
          "9.99989e-321; give a direction of length 1e-100 to 1e+100\n");
}

TEST_CASE(
    "mass in addition to a particle file, and too many velocities, are said in one sentence") {
    std::string many = "x_m,y_m,z_m,radius_m,vx_m_per_s\n";
    for (int i = 0; i <= 1000; ++i)
        many += std::to_string(i) + ",0,0,1e-3," + std::to_string(i + 1) + "\n";
    CHECK(refusal(after(listed, "file = \"p.csv\"", "\nmass = 1e-3"), "", many) ==
          "beadwave: s.toml:7: particles.0.mass = 0.001: is given in addition to file, whose "
          "particles have masses by their radius; expected density (kg/m^3) on the material in its "
          "place\n");
    const std::string impact =
        replaced(listed, "name = \"hertz\"",
                 "name = \"flores\"\nrestitution = 0.5\nimpact_speed = \"initial\"");
    CHECK(refusal(impact, "", many) ==
          "beadwave: s.toml:11: law.impact_speed = \"initial\": \"initial\" is the largest "
          "difference of two velocities at the start, and there are more than 1000 different "
          "ones; expected a number above 0, in m/s, or \"per-contact\" with "
          "law.min_impact_speed\n");
}

TEST_CASE("an interval below the time step causes a warning, for chains and packings") {
    const Folder folder;
    write_file(folder / "s.toml", after(two, "end = 2e-5", "\nstep = 1e-8") +
                                      "[sensors]\nparticles = [0]\ninterval = 2e-9\n[snapshots]\n"
                                      "interval = 1e-9\n[energy]\ninterval = 1e-8\n");
    const auto said = [](const char* key, const char* interval) {
        return std::string(key) + " is " + interval +
               " s, shorter than the time step of 1e-08 s: every step is sampled and nothing "
               "between; expected an interval of at least the time step, or a time.step of at most "
               "the interval";
    };
    CHECK(warnings_of(folder, "s.toml" + slow) ==
          json({said("sensors.interval", "2e-09"), said("snapshots.interval", "1e-09")}));
    CHECK(
        warnings_of(folder,
                    "'" + configs +
                        "newtons_cradle.toml' --set time.step=1e-8 --set time.end=1e-6 "
                        "--set snapshots.interval=1e-9 --set segment.0.velocity=0.1 -o chain.h5") ==
        json({said("snapshots.interval", "1e-09")}));
    CHECK(warnings_of(folder, "'" + configs +
                                  "slider_crank.toml' --set time.end=1e-5 --set "
                                  "time.interval=1e-9 -o crank.h5")
              .empty());
}

TEST_CASE("a deep overlap is a warning in the summary's place, --json and the history") {
    const Folder folder;
    write_file(folder / "s.toml", replaced(two, "youngs_modulus = 193e9", "youngs_modulus = 3e6"));
    const Said run = shell(folder, "beadwave run s.toml --quiet --set time.end=1e-3");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const std::string begin = "particles 0 and 1 overlapped by ";
    CHECK_MESSAGE(run.err.starts_with("beadwave: warning: " + begin), run.err);
    const json warnings = warnings_of(folder, "s.toml --set time.end=1e-3 --overwrite");
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].get<std::string>().starts_with(begin));
    const Said history =
        shell(folder, BEADWAVE_PYTHON
              " -c 'import h5py; print(h5py.File(\"s.h5\")[\"parameters/warnings\"][0].decode())'");
    CHECK(history.out == warnings[0].get<std::string>() + "\n");
}

TEST_CASE("a packing whose spheres pass through each other ends with status 1") {
    const Folder folder;
    write_file(folder / "s.toml", replaced(two, "youngs_modulus = 193e9", "youngs_modulus = 1e4"));
    const Said run = shell(folder, "beadwave run s.toml --quiet --set time.end=1e-2");
    CHECK(run.status == 1);
    CHECK(std::ranges::count(run.err, '\n') == 1);
    CHECK_MESSAGE(run.err.starts_with("beadwave: particles 0 and 1 overlap by "), run.err);
    CHECK(run.err.find("no contact law holds") != std::string::npos);
}

TEST_CASE("the deepest overlap survives an interruption") {
    const Folder folder;
    write_file(folder / "s.toml",
               replaced(two, "youngs_modulus = 193e9", "youngs_modulus = 3e6") +
                   "[snapshots]\ninterval = 1e-5\n[checkpoint]\ninterval = 5e-4\n");
    REQUIRE(shell(folder, "beadwave run s.toml --quiet --set time.end=4e-3 -o whole.h5").status ==
            0);
    const Said steps = shell(folder, BEADWAVE_PYTHON
                             " -c 'import h5py; print(h5py.File(\"whole.h5\")[\"parameters/steps\"]"
                             "[()] // 2)'");
    const std::string middle = steps.out.substr(0, steps.out.find('\n'));
    const Said killed =
        run_until(folder, "run s.toml --quiet --set time.end=4e-3 -o cut.h5", middle, SIGKILL);
    REQUIRE(killed.status == 137);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    check_same_histories(folder);
}

TEST_CASE("walls and regions that would give silently wrong results are refused") {
    const std::string box =
        "[box]\nlower = [-0.05, -0.05, -0.05]\nupper = [0.05, 0.05, 0.05]\nperiodic = [true, true, "
        "false]\n";
    const auto cylinder = [](const std::string& keys) {
        return "[[wall]]\nshape = \"cylinder\"\npoint = [0.03, 0.03, 0]\naxis = [0, 0, 1]\nradius "
               "= "
               "5e-3\nmaterial = \"steel\"\n" +
               keys;
    };
    CHECK(
        refusal(two + cylinder("") + box) ==
        "beadwave: s.toml:18: wall.0: is curved and would have to repeat along x as the box does; "
        "expected an endless cylinder along x\n");
    const std::string region =
        "[measure]\nlower = [-0.5, -0.01, -0.01]\nupper = [0.5, 0.01, 0.01]\n";
    CHECK(refusal(two + box + region) ==
          "beadwave: s.toml:24: measure.upper = [0.5, 0.01, 0.01]: the region is 1 m long along x; "
          "expected a number above 0, up to 0.1, the period of the box\n");
    const auto grid = [](const std::string& keys) {
        return "[measure]\nlower = [0, -0.01, -0.01]\nupper = [0.05, 0.01, "
               "0.01]\n[measure.grid]\n" +
               keys;
    };
    CHECK(
        refusal(two + box + grid("cells = [4, 4]\nwidth = 0.01\n")) ==
        "beadwave: s.toml:26: measure.grid.cells = [4, 4]: must be three numbers of cells, such as "
        "[1, 1, 40]\n");
    CHECK(refusal(two + box + grid("cells = [400, 400, 400]\nwidth = 0.01\n")) ==
          "beadwave: s.toml:25: measure.grid: the grid has 6.4e+07 cells; expected at most "
          "1000000\n");
    CHECK(
        refusal(two + box + grid("cells = [4, 4, 4]\nwidth = 0.2\n")) ==
        "beadwave: s.toml:25: measure.grid: the kernel is 0.2 m wide; expected at most 0.1 m, the "
        "period of the box along x\n");
    const Folder folder;
    write_file(folder / "s.toml", two + cylinder("angular_velocity = 3\n"));
    CHECK(shell(folder, "beadwave run s.toml -o s.h5")
              .err.find("warning: wall.0.angular_velocity has no effect: without friction nothing "
                        "turns with the wall\n") != std::string::npos);
}

}  // namespace beadwave::validation::packing_refusals_test
