// `[dissipation] impacts = true` of packings: rows of the history, `--json`, runs that go on from a
// checkpoint, and what is refused.

#include "held_run.hpp"
#include "program.hpp"
#include "refused_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <string>

namespace beadwave::validation::impacts_cli_test {
namespace {

const std::string thrown = std::string(BEADWAVE_SOURCE_DIR) + "/docs/examples/dissipation.toml";

}  // namespace

TEST_CASE("the impacts of a packing are rows of its history, and --json has their sums") {
    const Folder folder;
    const Said said =
        shell(folder, fmt::format("beadwave run '{}' --json --set dissipation.impacts=true -o a.h5 "
                                  "> a.json && beadwave run '{}' --set dissipation.impacts=true "
                                  "-o b.h5 > a.txt",
                                  thrown, thrown));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(said.err.find("dissipation.impacts: only the plain engine knows impacts; it runs this "
                        "scenario, on one thread") != std::string::npos);
    write_file(folder / "check.py", R"(
import h5py, json
import numpy as np
run = json.load(open("a.json"))
f = h5py.File("a.h5")
table, energy = f["connectivity/impacts"], f["observables"]
units = {"start": "s", "end": "s", "impact_speed": "m s-1", "separation_speed": "m s-1", "impact_slip_speed": "m s-1",
         "separation_slip_speed": "m s-1", "restitution": "1", "peak_force": "N", "peak_time": "s", "largest_overlap": "m",
         "normal_dissipation": "J", "sliding_dissipation": "J", "rolling_dissipation": "J", "twisting_dissipation": "J"}
column = {name: table[name][:] for name in [*units, "first", "second"]}
for name, unit in units.items():
    assert table[name].attrs["unit"] == unit, name
splits, times = table["row_splits"][:], table["time"][:]
assert np.all(times == energy["kinetic_energy/time"][:])
count = len(column["start"])
assert splits[-1] == count == run["impacts"]["count"] >= 5, count
# A row comes with the first sample after its end.
for k in range(count):
    sample = np.searchsorted(splits, k, side="right") - 1
    assert times[sample - 1] - 1e-5 <= column["end"][k] <= times[sample]
assert set(zip(column["first"], column["second"])) <= {(0, 1), (0, 2), (1, 2)}
# The second ball touches the floor from the start, without a speed.
lay = ~(column["impact_speed"] > 0)
assert np.count_nonzero(lay) == 1
assert np.all(column["start"][lay] == 0) and np.array_equal(lay, np.isnan(column["restitution"]))
assert np.array_equal(column["restitution"][~lay], column["separation_speed"][~lay] / column["impact_speed"][~lay])
# The first ball falls 5.1e-3 m at 0.5 m/s first.
first = np.flatnonzero((column["first"] == 0) & (column["second"] == 2))[0]
speed = np.sqrt(0.5**2 + 2 * 9.81 * 5.1e-3)
assert abs(column["impact_speed"][first] / speed - 1) < 1e-6
assert abs(column["impact_slip_speed"][first] / 0.8 - 1) < 1e-12
assert abs(column["start"][first] - (speed - 0.5) / 9.81) < 1e-9
assert 0.6 < column["restitution"][first] < 0.75
scale = run["energy"]["initial"]
mean = column["separation_speed"][~lay].sum() / column["impact_speed"][~lay].sum()
assert abs(run["impacts"]["restitution"] / mean - 1) < 1e-12
lost = sum(column[f"{part}_dissipation"] for part in ("normal", "sliding", "rolling", "twisting"))
for part in ("normal", "sliding", "rolling", "twisting"):
    ended, still = run["impacts"]["energy"][part], run["impacts"]["open_energy"][part]
    assert abs(column[f"{part}_dissipation"].sum() - ended) < 1e-14 * scale
    assert abs(ended + still - run["dissipation"][part]) < 1e-12 * scale, part
edges, counts = run["impacts"]["spectrum"]["edges"], run["impacts"]["spectrum"]["counts"]
assert np.all(energy["impact_spectrum_edges"][:] == edges) and edges[0] == 0
assert np.allclose(edges[1:], [10.0**k for k in range(-18, 5)], rtol=1e-15, atol=0)
spectrum = energy["impact_spectrum/value"][:]
assert np.array_equal(spectrum[-1], counts) and sum(counts) == count
assert np.array_equal(spectrum.sum(axis=1), splits[1:])
assert np.array_equal(np.histogram(np.clip(lost, 0, 5e3), edges)[0], counts)
text = open("a.txt").read()
assert f"{count} ended, in which" in text and f"{run['impacts']['open']} last; mean restitution" in text, text
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("a run that is interrupted in an impact goes on with it, to the same bits") {
    // The second ball first leaves the floor at 0.044 s, after step 8799.
    const Folder folder;
    const std::string arguments = fmt::format(
        "run '{}' --quiet --set checkpoint.interval=0.02 --set dissipation.impacts=true", thrown);
    REQUIRE(shell(folder, "beadwave " + arguments + " -o whole.h5").status == 0);
    REQUIRE(run_until(folder, arguments + " -o cut.h5", "8000", SIGTERM).status == 1);
    const Said saved = shell(
        folder, BEADWAVE_PYTHON
        " -c \"import h5py; f = h5py.File('cut.h5'); t = f['observables/kinetic_energy/time'][-1]; "
        "assert 0.01 < t < 0.0435, t\"");
    CHECK_MESSAGE(saved.status == 0, saved.err);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("ellipsoids have a table of impacts, and wear their walls") {
    const Folder folder;
    const Said said = shell(
        folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                "/configs/ellipsoids.toml' --quiet --json -o e.h5 --set time.end=0.06 --set "
                "dissipation.impacts=true --set wear.law=archard --set wear.coefficient=1e-4 --set "
                "wear.hardness=1e9 > e.json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(said.err.find("plain engine") == std::string::npos);
    write_file(folder / "check.py", R"(
import h5py, json
run = json.load(open("e.json"))
f = h5py.File("e.h5")
table = f["connectivity/impacts"]
assert table["row_splits"][-1] == run["impacts"]["count"] > 30, run["impacts"]["count"]
ended, still = (run["impacts"][name] for name in ("energy", "open_energy"))
total = sum(ended.values()) + sum(still.values())
assert abs(total - run["energy"]["dissipated"]) < 1e-12 * run["energy"]["external_work"]
assert total > 0.1 * run["energy"]["external_work"]
worn = f["observables/wall_wear/value"][:]
assert list(worn[-1]) == run["wall_wear"] and (worn[-1] > 0).any() and (worn[1:] >= worn[:-1]).all()
)");
    const Said checked = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("what does not go with a table of impacts is refused in one sentence") {
    const Folder folder;
    const std::string alone = "--set dissipation.impacts=true ";
    refused(folder, thrown, alone + "--set precision=mixed",
            "[dissipation] is known in double precision only; expected \"double\"");
    refused(folder, thrown, alone + "--set device=twin",
            "devices do not have [dissipation]; expected \"cpu\"");
    refused(folder, thrown, "--set dissipation.impacts=1", "dissipation.impacts");
    const std::string wear =
        "--set wear.law=archard --set wear.coefficient=1e-4 --set wear.hardness=1e9 ";
    refused(folder, thrown, wear + "--set wear.hardness=0", "wear.hardness");
    refused(folder, thrown, wear + "--set wear.law=fast", "must be \"archard\"");
    refused(folder, thrown, wear + "--set wear.law=finnie", "wear.flow_pressure");
    refused(folder, thrown, wear + "--set wear.per=triangle",
            "wear.per = \"triangle\": needs a [[wall]] with shape = \"mesh\"");
    const std::string chain = std::string(BEADWAVE_SOURCE_DIR) + "/configs/chain70.toml";
    refused(folder, chain, alone, "dissipation.impacts");
    refused(folder, chain, wear, "wear: unknown key");
    write_file(folder / "bare.toml",
               "dimension=3\n[material.a]\nyoungs_modulus=1e9\npoisson_ratio=0.3\ndensity=2700\n"
               "[[particles]]\nposition=[0,0,0]\nradius=0.01\nmaterial=\"a\"\n[law]\n"
               "name=\"hertz\"\n[time]\nend=1e-2\nstep=1e-4\n[dissipation]\nimpacts=false\n");
    refused(folder, "bare.toml", "",
            "dissipation.per: missing; give a list of \"contact\", \"particle\", \"wall\" and "
            "\"triangle\", each at most once, or impacts = true");
    refused(folder, "bare.toml", alone + wear, "needs a [[wall]]: walls are what wears");
    const Said said = shell(
        folder, "beadwave run bare.toml --quiet --json -o b.h5 --set law.name=hertz " + alone);
    REQUIRE_MESSAGE(said.status == 0, said.err);  // without snapshots
    CHECK(said.out.find("\"restitution\": null") != std::string::npos);
}

}  // namespace beadwave::validation::impacts_cli_test
