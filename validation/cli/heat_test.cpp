// The table [heat] of scenarios: what a run states and records, a run that goes on from a
// checkpoint, and what is refused.

#include "held_run.hpp"
#include "program.hpp"
#include "refused_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <string>

namespace beadwave::validation::heat_cli_test {
namespace {

using nlohmann::json;

const std::string thrown = std::string(BEADWAVE_SOURCE_DIR) + "/docs/examples/dissipation.toml";
const std::string mill = std::string(BEADWAVE_SOURCE_DIR) + "/configs/ball_mill.toml";
const std::string warm =
    "--set heat.temperature=300 --set material.glass.specific_heat=800 "
    "--set material.glass.conductivity=1.1 --set wall.0.temperature=310 ";

}  // namespace

TEST_CASE("a run states where heat went, and its file has temperatures") {
    const Folder folder;
    const Said said = shell(
        folder, fmt::format("beadwave run '{}' {} --json --quiet -o a.h5 > a.json", thrown, warm));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json result = json::parse(read_file(folder / "a.json"));
    const json& heat = result["heat"];
    const double dissipated = heat["dissipated"];
    CHECK(dissipated > 1e-4);
    CHECK(std::abs(dissipated - result["energy"]["dissipated"].get<double>()) < 1e-12 * dissipated);
    CHECK(std::abs(heat["error"].get<double>()) < 1e-12 * dissipated);
    CHECK(heat["exits"] == 0.0);
    CHECK(heat["lowest_temperature"] > 300.0);
    CHECK(heat["highest_temperature"] >= heat["mean_temperature"]);
    write_file(folder / "check.py", R"(
import h5py, numpy as np, json
f = h5py.File("a.h5")
heat = json.load(open("a.json"))["heat"]
t = f["particles/all/temperature/value"]
assert f["particles/all/temperature/value"].attrs["unit"] in ("K", b"K")
assert np.all(t[0] == 300)
mass = f["particles/all/mass"][:]
gained = f["observables/particle_heat/value"][-1]
assert abs((mass * 800 * (t[-1] - 300)).sum() - gained) < 1e-9 * gained + 1e-12  # digits of 300 K
assert gained == heat["particles"] and f["observables/wall_heat/value"][-1][0] == heat["walls"]
assert f["observables/exit_heat/value"][-1] == 0
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("configs/ball_mill.toml: the balls have the heat, and the lifters wear most") {
    const Folder folder;
    const Said said =
        shell(folder, fmt::format("beadwave run '{}' --json --quiet -o m.h5 > m.json", mill));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    write_file(folder / "check.py", R"(
import h5py, numpy as np, json
f, run = h5py.File("m.h5"), json.load(open("m.json"))
heat, seen = run["heat"], f["observables"]
assert heat["walls"] == 0 and abs(heat["error"]) < 1e-12 * heat["dissipated"]
capacity = 460 * f["particles/all/mass"][:].sum()
assert abs(capacity - 54.8) < 0.05
rise = heat["mean_temperature"] - 293.15
assert 1.5e-3 < rise < 3.5e-3, rise
assert abs(capacity * rise - heat["dissipated"]) < 1e-9 * heat["dissipated"]  # digits of 293 K
t = f["particles/all/temperature/value"][-1]
assert t.min() == heat["lowest_temperature"] and t.max() == heat["highest_temperature"]
time, gained = seen["particle_heat/time"][:], seen["particle_heat/value"][:]
power = np.polyfit(time[time > 0.2], gained[time > 0.2], 1)[0]
assert 0.15 < power < 0.35, power
share = run["energy"]["normal"] / run["energy"]["dissipated"]
assert 0.5 < share < 0.7, share
counts = np.array(run["impacts"]["spectrum"]["counts"])
edges = np.array(run["impacts"]["spectrum"]["edges"])
middle = counts[(edges[:-1] > 0.9e-5) & (edges[1:] < 1.1e-3)].sum()
assert middle > 0.5 * counts.sum(), counts
# The shell has 48 triangles, the lifters 12.
depth = seen["triangle_wear/value"][-1]
corners = f["parameters/wall_triangles"][:]
area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
assert depth.shape == (60,)
ratio = depth[48:].mean() / depth[:48].mean()
assert 1.5 < ratio < 4, ratio
volume = run["wall_wear"][0]
assert abs((depth * area).sum() - volume) < 1e-12 * volume
parts = sum(seen[f"wall_{part}_dissipation/value"][-1][0] for part in ("normal", "sliding", "rolling", "twisting"))
assert abs(seen["triangle_dissipation/value"][-1].sum() - parts) < 1e-12 * parts
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("an interrupted run goes on with its temperatures, to the same bits") {
    const std::string run = fmt::format(
        "run '{}' --quiet --set time.end=0.06 --set checkpoint.interval=0.005 "
        "--set time.step=2e-5 --set snapshots.interval=0.005",
        mill);
    const Folder folder;
    REQUIRE(shell(folder, "beadwave " + run + " -o whole.h5").status == 0);
    REQUIRE(run_until(folder, run + " -o cut.h5", "1500", SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("a step that is too long for conduction warns, and ends the run where it is unstable") {
    const Folder folder;
    // 2 k a / (m c) times the step is 1e-9 k at rest, and seven times as much in the impact.
    const auto run = [&](const char* conductivity) {
        return shell(folder, fmt::format("beadwave run '{1}' {2} --set time.end=0.03 --quiet "
                                         "-o c{0}.h5 --set material.glass.conductivity={0}",
                                         conductivity, thrown, warm));
    };
    const Said coarse = run("1e8");
    CHECK(coarse.status == 0);
    CHECK(coarse.err.find("coarse time step: a particle took the temperature of its neighbours "
                          "within") != std::string::npos);
    const Said unstable = run("1e11");
    CHECK(unstable.status == 1);
    CHECK(unstable.err.find("a particle takes the temperature of its neighbours in") !=
          std::string::npos);
}

TEST_CASE("what does not go with [heat] is refused in one sentence") {
    const Folder folder;
    refused(folder, thrown, "--set heat.temperature=300",
            "material.glass.specific_heat: missing; [heat] needs it, in J/(kg K), of the material "
            "of particles.0");
    refused(folder, thrown, warm + "--set heat.temperature=0", "heat.temperature");
    refused(folder, thrown, warm + "--set material.glass.specific_heat=-1", "specific_heat");
    refused(folder, thrown, "--set particles.1.temperature=300",
            "particles.1.temperature = 300: is given, but temperatures are not followed; give "
            "[heat] with temperature, in K, too");
    refused(folder, thrown, "--set wall.0.temperature=300", "temperatures are not followed");
    refused(folder, thrown, warm + "--set precision=mixed", "in double precision only");
    const std::string chain = std::string(BEADWAVE_SOURCE_DIR) + "/configs/chain70.toml";
    refused(folder, chain, "--set heat.temperature=300", "heat: unknown key");
    refused(folder, chain, "--set material.steel316.specific_heat=400",
            "material.steel316.specific_heat: unknown key");
    const std::string ellipsoids = std::string(BEADWAVE_SOURCE_DIR) + "/configs/ellipsoids.toml";
    refused(folder, ellipsoids, "--set heat.temperature=300", "heat");
}

}  // namespace beadwave::validation::heat_cli_test
