// Boxes that strain, on the command line: recorded, resumed, exported, refused.

#include "packing_runs.hpp"
#include "sanitised.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace beadwave::validation::straining_box_test {

namespace {

/// Rough spheres in a box that is compressed, sheared and held at a stress.
constexpr const char* pressed = R"(title = "box"
[material.steel]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 7970
[[particles]]
random = 40
lower = [0, 0, 0]
upper = [10e-3, 10e-3, 10e-3]
radius = 1e-3
material = "steel"
[box]
lower = [0, 0, 0]
upper = [10e-3, 10e-3, 10e-3]
periodic = [true, true, true]
strain_rate = [0, 0, -80]
shear_rate = [120, 0, 0]
pistons = [true, true, false]
stress = [2e3, 3e3, 0]
piston_damping = 0.05
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.3
[measure]
interval = 5e-5
[snapshots]
interval = 1e-3
[time]
end = 4e-3
step = 2e-6
)";

}  // namespace

TEST_CASE("a box that strains is recorded, and an interrupted run gives the same bits") {
    const Folder folder;
    write_file(folder / "box.toml", pressed);
    check_interrupted(folder, "box.toml", "900");
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("whole.h5"); o = f["observables"]
time, edges, tilt = (o[name][()] for name in ("box_edges/time", "box_edges/value", "box_tilt/value"))
assert np.allclose(edges[:, 2, 2], 10e-3 * (1 - 80 * time), rtol=1e-12, atol=0)
assert np.allclose(tilt[:, 0], 10e-3 * 120 * time, rtol=1e-9, atol=1e-18) and not tilt[:, 1:].any()
# The lattice is the same: the edge y is shifted by whole edges x.
shift = (tilt[:, 0] - edges[:, 1, 0]) / edges[:, 0, 0]
assert np.allclose(shift, np.round(shift), atol=1e-9) and abs(edges[:, 1, 0]).max() <= 0.5001 * edges[:, 0, 0].max()
assert edges[-1, 0, 0] < 9.9e-3
snapshots = f["particles/all/box/edges/value"][()]
assert len(snapshots) == 5 and np.array_equal(snapshots[-1], edges[-1])
assert np.allclose(o["region_edges/value"][-1], np.diag(edges[-1]), rtol=1e-14)
assert abs(o["relative_energy_error/value"][-1]) < 1e-3 and o["external_work/value"][-1] > 0
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("other programs get the tilt of a box, and the page shows it" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "box.toml", pressed);
    const Said done = shell(folder,
                            "beadwave run box.toml --quiet -o box.h5 && beadwave export box.h5 -o "
                            "box.dump && beadwave export box.h5 -o box.data && beadwave report "
                            "box.h5 -o box.html");
    REQUIRE_MESSAGE(done.status == 0, done.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
edges = h5py.File("box.h5")["particles/all/box/edges/value"][()]
text = open("box.dump").read().split("ITEM: TIME\n")[-1].splitlines()
at = text.index("ITEM: BOX BOUNDS xy xz yz pp pp pp")
bounds = np.array([[float(x) for x in line.split()] for line in text[at + 1:at + 4]])
xy = edges[-1, 1, 0]
assert np.array_equal(bounds[:, 2], [xy, 0, 0]) and xy != 0
assert np.allclose(bounds[0, :2], [min(0, xy), edges[-1, 0, 0] + max(0, xy)], rtol=1e-14)
assert [float(x) for line in open("box.data") if line.endswith(" xy xz yz\n") for x in line.split()[:3]] == [xy, 0, 0]
# GSD without its library: the chunks of the last snapshot.
import sys
sys.path.insert(0, SOURCE)
from report.export.frames import Frames
from report.export.gsd_file import chunks
made = chunks(Frames("box.h5"), -1)
assert np.allclose(made["configuration/box"], [*np.diag(edges[-1]), xy / edges[-1, 1, 1], 0, 0], rtol=1e-6)
# In fractions of the edges every particle is in the box, and the image leads back to its place.
place = made["particles/position"].astype(float)
assert abs(np.linalg.solve(edges[-1].T, place.T)).max() < 0.500001
whole = place + made["log/centre"] + made["particles/image"] @ edges[-1]
assert np.allclose(whole, made["log/particles/position"], rtol=0, atol=2e-9)
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("a run says what its pistons held, and warns if that is not what was asked for" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const std::string run = "beadwave run '" BEADWAVE_SOURCE_DIR
                            "/configs/triaxial.toml' --quiet --json --set time.end=5e-4 -o ";
    const Said light = shell(folder, run + "light.h5 > light.json");
    CHECK_MESSAGE(light.err.find("pistons") == std::string::npos, light.err);
    // Damping makes the stress larger by damping x rate x edge / area.
    const Said heavy = shell(folder, run + "heavy.h5 --set box.piston_damping=1000 > heavy.json");
    CHECK(heavy.status == 0);
    CHECK_MESSAGE(heavy.err.find("box.piston_damping holds back a box that changes this fast; "
                                 "expected at most ") != std::string::npos,
                  heavy.err);
    // Without a sample in the last fifth the mean begins at the one before.
    const Said sparse = shell(folder, run +
                                          "sparse.h5 --set box.piston_damping=1000 --set "
                                          "energy.interval=3e-4 > sparse.json");
    CHECK_MESSAGE(sparse.err.find(", on average from 0.0003 s to 0.0005 s: ") != std::string::npos,
                  sparse.err);
    // The stress that [measure] records is another sum, over contacts.
    const Said read = shell(folder, python(R"(
import h5py, json, numpy as np
times = {name: [json.load(open(name + ".json"))["pistons"][1][key] for key in ("from", "to")] for name in ("light", "heavy", "sparse")}
assert np.allclose(times["sparse"], [3e-4, 5e-4], rtol=1e-2), times
assert 3.9e-4 < times["light"][0] <= 4.001e-4 and times["light"] == times["heavy"], times
for name, least, most in ("light", 0.99, 1.02), ("heavy", 1.1, 2.0):
    pistons = json.load(open(name + ".json"))["pistons"]
    assert [each["axis"] for each in pistons] == ["x", "y"]
    o = h5py.File(name + ".h5")["observables"]
    time, stress = o["stress/time"][()], o["stress/value"][()]
    last = time >= 0.8 * time[-1]
    for k, each in enumerate(pistons):
        assert each["stress"] == 1e5 and least < each["held_stress"] / 1e5 < most, each
        assert abs(each["held_stress"] / -stress[last, k, k].mean() - 1) < 0.01, (each, stress[last, k, k].mean())
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("configs/triaxial.toml: the crystal yields at the strength that its head says" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const Said run = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                   "/configs/triaxial.toml' --quiet -o triaxial.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
o = h5py.File("triaxial.h5")["observables"]
stress, edges, contacts = (o[name + "/value"][()] for name in ("stress", "region_edges", "coordination_number"))
strain, ratio = 1 - edges[:, 2] / edges[0, 2], stress[:, 2, 2] / stress[:, 0, 0]
assert abs(ratio[0] - 1) < 1e-9 and abs(stress[0, 0, 0] / -1e5 - 1) < 1e-3
assert contacts[0] == 12 and contacts[-1] == 8
yields = strain > 0.00042
x, z = edges[yields, 0], edges[yields, 2]
assert np.allclose(ratio[yields], 2 * z * (z + 0.3 * x) / (x * (x - 0.3 * z)), rtol=2e-4)
assert abs(np.interp(0.0004, strain, ratio) - 3.710) < 2e-3 and abs(ratio[-1] - 3.700) < 1e-3
assert abs(o["relative_energy_error/value"][-1]) < 1e-9
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("wrong boxes that strain are refused with one sentence") {
    const std::vector<Wrong> all{
        {"stress = [2e3, 3e3, 0]\n", "",
         "box.stress: missing; give the stress along each axis with a piston, in Pa"},
        {"pistons = [true, true, false]\n", "",
         "box.stress = [2000.0, 3000.0, 0]: has no piston; expected pistons, such as [true, true, "
         "false], "
         "which says along which axes it acts"},
        {"piston_damping = 0.05", "piston_damping = -1",
         "box.piston_damping = -1: must be a number from 0, in N s/m"},
        {"strain_rate = [0, 0, -80]", "strain_rate = [1, 0, 0]",
         "along x both stress and strain rate are prescribed; expected one of them"},
        {"stress = [2e3, 3e3, 0]", "stress = [2e3, 3e3, 1]",
         "along z a stress is given, but no piston holds it"},
        {"periodic = [true, true, true]", "periodic = [true, true, false]",
         "strains along z, but is not periodic there"},
        {"radius = 1e-3\n", "radius = 1e-3\nfixed = true\n",
         "particle 0 is fixed and cannot follow the strain"},
        {"[law]", "[gravity]\nacceleration = [0, 0, -9.81]\n[law]",
         "gravity acts along an axis that strains"},
        {"interval = 5e-5", "interval = 5e-5\nlower = [0, 0, 0]\nupper = [1e-3, 1e-3, 1e-3]",
         "the box strains; expected no region, so that it is measured"}};
    check_refused(pressed, all);
}

TEST_CASE("a box that becomes too narrow ends the run with one sentence") {
    const Folder folder;
    write_file(folder / "box.toml", pressed);
    const Said narrow =
        shell(folder,
              "sed -e '/^stress/d' -e '/^piston/d' -e 's/-80/-200/' -e 's/random = 40/random = 2/' "
              "box.toml > narrow.toml && beadwave run narrow.toml --quiet");
    CHECK(narrow.status == 1);
    CHECK_MESSAGE(narrow.err.find("the box became too narrow along z: ") != std::string::npos,
                  narrow.err);
    CHECK(std::count(narrow.err.begin(), narrow.err.end(), '\n') == 1);
}

}  // namespace beadwave::validation::straining_box_test
