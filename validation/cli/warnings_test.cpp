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

}  // namespace beadwave::validation::warnings_test
