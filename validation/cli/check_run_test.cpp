// `beadwave run --check`, and the warnings of a run.

#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::check_run_test {

using nlohmann::json;

namespace {

const std::string chain70 = "'" BEADWAVE_SOURCE_DIR "/configs/chain70.toml'";

}  // namespace

TEST_CASE("run --check prints the change of each number at half the time step") {
    const Folder folder;
    const Said said =
        shell(folder, "beadwave run " + chain70 + " --set time.step=4e-8 --check --json");
    REQUIRE(said.status == 0);
    const json whole = json::parse(said.out);
    const Said half_said =
        shell(folder, "beadwave run " + chain70 + " --set time.step=2e-8 --json --quiet");
    REQUIRE(half_said.status == 0);
    const json half = json::parse(half_said.out);
    const json& check = whole.at("check");
    CHECK(check.at("time_step") == 2e-8);
    const json& change = check.at("difference");
    for (const char* entry : {"kinetic", "stored", "dissipated"}) {
        CHECK(change.at("energy").at(entry).get<double>() ==
              half.at("energy").at(entry).get<double>() -
                  whole.at("energy").at(entry).get<double>());
    }
    for (std::size_t s = 0; s < whole.at("sensors").size(); ++s) {
        for (const char* number : {"peak_force", "arrival_time", "peak_velocity"}) {
            CHECK(change.at("sensors").at(s).at(number).get<double>() ==
                  half.at("sensors").at(s).at(number).get<double>() -
                      whole.at("sensors").at(s).at(number).get<double>());
        }
    }
    CHECK(said.err.find("with half the step, 20 ns, the numbers change by") != std::string::npos);
    CHECK(whole.at("warnings").empty());
}

TEST_CASE(
    "a restarted run gives the reason in its warnings, history and page and in a sweep's table") {
    const Folder folder;
    write_file(folder / "press.csv",
               "time_s,displacement_m\n0,0\n1e-4,1e-6\n2e-4,2e-6\n1e-3,1e-5\n");
    write_file(folder / "press.toml", R"([material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7850
[[segment]]
beads = 2
radius = 2e-3
material = "steel"
[law]
name = "flores"
restitution = 0.5
[boundary]
left = { kind = "driven", file = "press.csv" }
right = "wall"
[time]
end = 1e-3
)");
    const Said said = shell(folder, "beadwave run press.toml --json --quiet");
    REQUIRE(said.status == 0);
    const json warnings = json::parse(said.out).at("warnings");
    REQUIRE(warnings.size() >= 1);
    CHECK(warnings.at(0).get<std::string>().find("the chosen time step of ") == 0);
    CHECK(said.err.find("beadwave: warning: the chosen time step of ") != std::string::npos);

    const Said read = shell(folder, BEADWAVE_PYTHON
                            " -c 'import h5py, json; print(json.dumps(list("
                            "h5py.File(\"press.h5\")[\"parameters/warnings\"].asstr()[:])))'");
    REQUIRE_MESSAGE(read.status == 0, read.err);
    CHECK(json::parse(read.out) == warnings);
    REQUIRE(shell(folder, "beadwave report press.h5").status == 0);
    CHECK(read_file(folder / "press.html").find(": the chosen time step of ") != std::string::npos);

    const Said swept =
        shell(folder, "beadwave sweep press.toml --vary law.restitution=0.5,0.6 --quiet");
    CHECK(swept.status == 0);
    CHECK(swept.err.find("2 of 2 runs have warnings") != std::string::npos);
    CHECK(read_file(folder / "press.sweep.csv").find("restarted") != std::string::npos);
}

}  // namespace beadwave::validation::check_run_test
