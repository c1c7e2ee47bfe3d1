// The table [dissipation] of scenarios: what snapshots hold, in runs and in runs that go on from a
// checkpoint, and what is refused.

#include "held_run.hpp"
#include "program.hpp"
#include "refused_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <string>
#include <utility>

namespace beadwave::validation::dissipation_test {
namespace {

using nlohmann::json;

const std::string thrown = std::string(BEADWAVE_SOURCE_DIR) + "/docs/examples/dissipation.toml";
const std::string chain70 = std::string(BEADWAVE_SOURCE_DIR) + "/configs/chain70.toml";

/// Runs Python with h5py; what it asserts holds.
void check_with_python(const Folder& folder, const std::string& script) {
    write_file(folder / "check.py", "import h5py, json\nimport numpy as np\n" + script);
    const Said said = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(said.status == 0, said.err);
}

}  // namespace

TEST_CASE("snapshots of a packing hold what contacts, particles and walls dissipated") {
    const Folder folder;
    const Said said =
        shell(folder, fmt::format("beadwave run '{}' --json --set rolling.coefficient=0.1 -o a.h5 "
                                  "> a.json",
                                  thrown));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(said.err.find("plain engine") == std::string::npos);
    check_with_python(folder, R"(
run = json.load(open("a.json"))
f = h5py.File("a.h5")
table = f["connectivity/dissipation"]
splits = table["row_splits"][:]
parts = ("normal", "sliding", "rolling", "twisting")
energy = f["observables"]
times = f["particles/all/position/time"][:]
ledger_times = energy["dissipated_energy/time"][:]
assert len(splits) == len(times) + 1
scale = run["energy"]["initial"]
for t, time in enumerate(times):
    rows = slice(splits[t], splits[t + 1])
    sums = {part: table[part][rows].sum() for part in parts}
    # Half of each contact belongs to each of its bodies.
    for part in parts:
        bodies = f[f"particles/all/particle_{part}_dissipation/value"][t].sum() + energy[f"wall_{part}_dissipation/value"][t].sum()
        assert abs(bodies - sums[part]) < 1e-15 * scale, (part, bodies, sums)
    # The ledger at the same time, where it has a sample.
    at = np.argmin(abs(ledger_times - time))
    if abs(ledger_times[at] - time) < 1e-12:
        for part, name in (("normal", "normal"), ("sliding", "friction")):
            assert abs(sums[part] - energy[f"{name}_dissipation/value"][at]) < 1e-13 * scale
last = {part: table[part][splits[-2]:].sum() for part in parts}
for part in parts:
    assert abs(last[part] - run["dissipation"][part]) < 1e-15 * scale
assert abs(sum(last.values()) - run["energy"]["dissipated"]) < 1e-13 * scale
pairs = [tuple(pair) for pair in table["pair"][splits[-2]:]]
assert pairs == [(0, 1), (0, 2), (1, 2)], pairs
assert min(last["normal"], last["sliding"], last["rolling"]) > 1e-6 * scale
)");
}

TEST_CASE("an interrupted run goes on with what contacts had dissipated, to the same bits") {
    const std::string chain = fmt::format(
        "run '{}' --quiet --set segment.1.beads=12 --set 'sensors.beads=[3]' --set time.end=1e-4 "
        "--set time.step=1e-8 --set snapshots.interval=1e-5 --set checkpoint.interval=2e-5 "
        "--set 'dissipation.per=[\"contact\", \"particle\"]'",
        chain70);
    const std::string packing =
        fmt::format("run '{}' --quiet --set checkpoint.interval=0.02", thrown);
    for (const auto& [arguments, step] : {std::pair(chain, "5000"), std::pair(packing, "15000")}) {
        CAPTURE(arguments);
        const Folder folder;
        REQUIRE(shell(folder, "beadwave " + arguments + " -o whole.h5").status == 0);
        REQUIRE(run_until(folder, arguments + " -o cut.h5", step, SIGTERM).status == 1);
        const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
        REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
        check_same_histories(folder);
    }
}

TEST_CASE("snapshots of a chain hold what contacts, beads and walls dissipated") {
    const Folder folder;
    const Said said = shell(
        folder,
        fmt::format("beadwave run '{}' --quiet --json -o c.h5 --set time.end=2e-4 --set "
                    "boundary.right=wall --set snapshots.interval=2e-5 --set segment.1.beads=12 "
                    "--set 'sensors.beads=[3]' --set 'dissipation.per=[\"contact\", "
                    "\"particle\", \"wall\"]' > c.json",
                    chain70));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    check_with_python(folder, R"(
run = json.load(open("c.json"))
f = h5py.File("c.h5")
contacts = f["observables/contact_normal_dissipation/value"][:]
beads = f["particles/beads/particle_normal_dissipation/value"][:]
walls = f["observables/wall_normal_dissipation/value"][:]
assert contacts.shape[1] == beads.shape[1] + 1 and walls.shape[1] == 2
scale = run["energy"]["initial"]
assert abs(contacts[-1].sum() - run["energy"]["dissipated"]) < 1e-13 * scale
assert run["energy"]["dissipated"] > 0.01 * scale
assert np.all(abs(beads - 0.5 * (contacts[:, :-1] + contacts[:, 1:])) == 0)
assert np.all(walls == 0.5 * contacts[:, [0, -1]])
)");
}

TEST_CASE("what does not go with [dissipation] is refused in one sentence") {
    const Folder folder;
    refused(folder, thrown, "--set 'dissipation.per=[\"contct\"]'",
            "dissipation.per[0] = \"contct\": must be a list of \"contact\", \"particle\", "
            "\"wall\" and \"triangle\", each at most once");
    refused(folder, thrown, "--set 'dissipation.per=[\"triangle\"]'",
            "dissipation.per = [\"triangle\"]: needs a [[wall]] with shape = \"mesh\": triangles "
            "are those of meshes");
    refused(folder, chain70, "--set 'dissipation.per=[\"triangle\"]'",
            "must be a list of \"contact\", \"particle\" and \"wall\", each at most once");
    refused(folder, thrown, "--set 'dissipation.per=[\"wall\", \"wall\"]'",
            "dissipation.per[1] = \"wall\": is in the list already");
    refused(folder, thrown, "--set precision=mixed",
            "[dissipation] is known in double precision only; expected \"double\"");
    refused(folder, thrown, "--set device=twin",
            "devices do not have [dissipation]; expected \"cpu\"");
    refused(folder, chain70,
            "--set 'dissipation.per=[\"wall\"]' --set time.sleep_speed=1e-6 "
            "--set snapshots.interval=1e-5",
            "does not go with time.sleep_speed; give one of the two");
    write_file(folder / "bare.toml",
               "[material.a]\nyoungs_modulus=1e9\npoisson_ratio=0.3\ndensity=2700\n[[segment]]\n"
               "beads=3\nradius=0.01\nmaterial=\"a\"\nvelocity=1.0\n[law]\nname=\"hertz\"\n"
               "[time]\nend=1e-5\n[dissipation]\nper=[\"contact\"]\n");
    refused(folder, "bare.toml", "",
            "needs [snapshots] with interval, in s: snapshots hold these energies");
}

}  // namespace beadwave::validation::dissipation_test
