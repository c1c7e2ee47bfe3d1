// A run whose numbers stop being finite fails with a message, alone and in a sweep.

#include "program.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::not_finite_test {

using nlohmann::json;

namespace {

/// A slow press. The impact speed of its contacts is far below that of any blow, so that their
/// damping is too stiff for this time step.
const std::string press = R"([material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7850
yield_stress = 9e8
[[segment]]
beads = 3
radius = 5e-3
material = "steel"
[law]
name = "flores"
restitution = 0.6
[boundary]
left = { kind = "driven", file = "press.csv" }
right = "wall"
[time]
end = 0.02
step = 2e-6
[sensors]
beads = [0, 1, 2]
)";

void write_press(const Folder& folder) {
    write_file(folder / "press.toml", press);
    write_file(folder / "press.csv",
               "time_s,displacement_m\n0,0\n5e-3,5e-6\n1e-2,1e-5\n2e-2,2e-5\n");
}

}  // namespace

TEST_CASE("a run whose numbers diverge ends with status 1 and names the bead") {
    const Folder folder;
    write_press(folder);
    const Said said = shell(folder, "beadwave run press.toml -o out.h5 --quiet");
    CHECK(said.status == 1);
    CHECK_MESSAGE(said.err.find("unstable: at t = ") != std::string::npos, said.err);
    CHECK(said.err.find(" bead ") != std::string::npos);
    CHECK(said.err.find("too fast for a time.step of 2e-06 s") != std::string::npos);
}

TEST_CASE("a sweep marks runs whose numbers diverge as failed") {
    const Folder folder;
    write_press(folder);
    const Said said =
        shell(folder,
              "beadwave sweep press.toml --vary law.name=hertz,flores --json --set time.end=0.02");
    CHECK(said.status == 1);
    const json result = json::parse(said.out);
    CHECK(result.at("failed") == 1);
    CHECK(result.at("first_failed").at("run") == 1);
}

}  // namespace beadwave::validation::not_finite_test
