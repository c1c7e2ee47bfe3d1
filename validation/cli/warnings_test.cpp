// Every warning is in the result, not on the terminal alone: JSON, history, table.

#include "packing_runs.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace beadwave::validation::warnings_test {

namespace {

/// A steel cylinder that hits another one at 0.01 rad: the ellipse is longer than the cylinders.
constexpr const char* crossed = R"([material.steel]
youngs_modulus = 200e9
poisson_ratio = 0.3
density = 7800
[[segment]]
beads = 1
radius = 5e-3
length = 0.01
angle = 0.01
material = "steel"
velocity = 5
[[segment]]
beads = 1
radius = 5e-3
length = 0.01
angle = 0.01
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-5
[sensors]
beads = [1]
)";

constexpr const char* crossed_case = R"(speed = 5
angle = 0.01
[body.a]
radius = 5e-3
length = 0.01
density = 7800
youngs_modulus = 200e9
poisson_ratio = 0.3
[body.b]
radius = 5e-3
length = 0.01
density = 7800
youngs_modulus = 200e9
poisson_ratio = 0.3
[law]
name = "hertz"
)";

/// What every one of these warnings contains.
const std::string ellipse = "ellipse";

bool names_ellipse(const nlohmann::json& warnings) {
    for (const auto& warning : warnings)
        if (warning.get<std::string>().find(ellipse) != std::string::npos) return true;
    return false;
}

}  // namespace

TEST_CASE("what a scenario is warned of is in the JSON, the history and on a quiet terminal") {
    const Folder folder;
    write_file(folder / "crossed.toml", crossed);
    const Said said = shell(folder, "beadwave run crossed.toml --quiet --json -o out.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK_MESSAGE(names_ellipse(nlohmann::json::parse(said.out)["warnings"]), said.out);
    CHECK_MESSAGE(said.err.find(ellipse) != std::string::npos, said.err);
    CHECK_MESSAGE(said.err.find(ellipse) == said.err.rfind(ellipse), "printed twice: ", said.err);
    const Said read = shell(folder, python(R"(
import h5py
texts = h5py.File("out.h5")["parameters/warnings"][()]
assert sum(b"ellipse" in text for text in texts) == 1, texts
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("what the runs of a sweep are warned of before they start is in the table") {
    const Folder folder;
    write_file(folder / "crossed.toml", crossed);
    // Alone and together, and one row without: at 1.5 rad the ellipse is short.
    for (const std::string vary :
         {"segment.1.angle=0.01,0.011,0.012,1.5", "segment.1.angle=0.01,1.5"}) {
        const Said said = shell(folder,
                                "beadwave sweep crossed.toml --quiet --overwrite -o out.sweep.h5 "
                                "--set segment.0.angle=1.5 --vary " +
                                    vary);
        REQUIRE_MESSAGE(said.status == 0, said.err);
        const Said read = shell(folder, python(R"(
import csv
rows = list(csv.DictReader(open("out.sweep.csv")))
for row in rows:
    assert ("ellipse" in row["warnings"]) == (float(row["segment.1.angle"]) < 1), row
)"));
        CHECK_MESSAGE(read.status == 0, read.out, read.err);
    }
}

TEST_CASE("the JSON of a collision has its warnings") {
    const Folder folder;
    write_file(folder / "crossed.toml", crossed_case);
    const Said said = shell(folder, "beadwave collide crossed.toml --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK_MESSAGE(names_ellipse(nlohmann::json::parse(said.out)["warnings"]), said.out);
    const Said swept = shell(folder, "beadwave sweep crossed.toml --quiet --vary speed=5,6");
    REQUIRE_MESSAGE(swept.status == 0, swept.err);
    CHECK_MESSAGE(read_file(folder / "crossed.sweep.csv").find(ellipse) != std::string::npos,
                  read_file(folder / "crossed.sweep.csv"));
}

namespace {

/// Three steel beads in a row, the first with a velocity [m/s].
std::string row_of_beads(const std::string& velocity) {
    return "[material.steel]\nyoungs_modulus = 200e9\npoisson_ratio = 0.3\ndensity = 7800\n"
           "[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = \"steel\"\nvelocity = " +
           velocity +
           "\n[[segment]]\nbeads = 2\nradius = 5e-3\nmaterial = \"steel\"\n[law]\nname = "
           "\"hertz\"\n"
           "[time]\nend = 1e-4\n";
}

/// Two spheres above each other; gravity along y [m/s^2], in the plane.
std::string two_falling(const std::string& gravity, const std::string& more = "") {
    return "dimension = 2\n[material.soft]\nyoungs_modulus = 1e8\npoisson_ratio = 0.3\ndensity = "
           "2500\n[[particles]]\nposition = [0.0, 0.002]\nradius = 1e-3\nmaterial = \"soft\"\n"
           "[[particles]]\nposition = [0.0, 0.005]\nradius = 1e-3\nmaterial = \"soft\"\n[gravity]\n"
           "acceleration = [0.0, " +
           gravity + "]\n[law]\nname = \"tsuji\"\nrestitution = 0.3\n[time]\nend = 0.03\n" + more;
}

constexpr const char* floor_below =
    "[[wall]]\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\nmaterial = \"soft\"\n";

std::string warnings_of(const Folder& folder, const std::string& text,
                        const std::string& options = "") {
    write_file(folder / "case.toml", text);
    const Said said =
        shell(folder, "beadwave run case.toml --quiet --overwrite -o case.h5" + options);
    CHECK_MESSAGE(said.status == 0, said.err);
    return said.err;
}

}  // namespace

TEST_CASE("a striker that flies away is warned of, one that hits or is pulled back is not") {
    const Folder folder;
    const std::string apart = "nothing ever touches: ";
    const std::string away = warnings_of(folder, row_of_beads("-1.0"));
    CHECK_MESSAGE(away.find(apart) != std::string::npos, away);
    CHECK(away.find("bead 0 moves at -1 m/s") != std::string::npos);
    const std::string hits = warnings_of(folder, row_of_beads("0.01"));
    CHECK_MESSAGE(hits.find(apart) == std::string::npos, hits);
    const std::string falls = warnings_of(
        folder, row_of_beads("-1.0") + "[gravity]\nacceleration = 9.81\nequilibrium = false\n");
    CHECK_MESSAGE(falls.find(apart) == std::string::npos, falls);
}

TEST_CASE("a gap of the only bead of the first segment has no effect, and a run says so") {
    const Folder folder;
    const std::string said =
        warnings_of(folder, row_of_beads("0.01"), " --set segment.0.gap=-20e-3");
    CHECK_MESSAGE(said.find("segment.0.gap has no effect: ") != std::string::npos, said);
}

TEST_CASE("particles that fall for ever are warned of") {
    const Folder folder;
    const std::string fall = "they fall without an end; expected a floor";
    CHECK(warnings_of(folder, two_falling("-9.81", floor_below)).find(fall) == std::string::npos);
    CHECK(warnings_of(folder, two_falling("9.81", floor_below)).find(fall) != std::string::npos);
    const std::string without = warnings_of(folder, two_falling("-9.81"));
    CHECK_MESSAGE(without.find("gravity pulls 2 of 2 particles, ") != std::string::npos, without);
    CHECK(without.find(fall) != std::string::npos);
    // Thrown upwards they only begin to fall: after 0.03 s they are 10 mm above the start. Two that
    // meet may be meant to collide.
    const auto thrown = [&](const std::string& first, const std::string& second) {
        std::string text = two_falling("-9.81");
        text.insert(text.find("radius"), "velocity = " + first + "\n");
        text.insert(text.rfind("radius"), "velocity = " + second + "\n");
        return warnings_of(folder, text);
    };
    CHECK(thrown("[0.0, 0.5]", "[0.0, 0.5]").find(fall) == std::string::npos);
    CHECK(thrown("[0.0, -0.5]", "[0.0, -0.5]").find(fall) != std::string::npos);
    CHECK(thrown("[0.0, 0.2]", "[0.0, -0.2]").find(fall) == std::string::npos);
    CHECK(thrown("[0.0, -0.2]", "[0.0, 0.05]").find(fall) != std::string::npos);
}

TEST_CASE("a bearing that wears by more than its shape follows is warned of") {
    const Folder folder;
    const auto said = [&](const std::string& update_depth) {
        return shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                             "/configs/worn_slider_crank.toml' --quiet --overwrite -o w.h5 --set "
                             "wear.coefficient=100 --set time.end=0.02 --set wear.update_depth=" +
                                 update_depth)
            .err;
    };
    const std::string round = "those of the round bearing, which it no longer is; expected a ";
    const std::string without = said("1e-3");
    CHECK_MESSAGE(without.find(round) != std::string::npos, without);
    const std::string with = said("1e-5");
    CHECK_MESSAGE(with.find("is worn by ") == std::string::npos, with);
}

}  // namespace beadwave::validation::warnings_test
