// The bulk benchmarks of Dosta et al. 2024 (docs/BULK.md): the contact law of their pages in closed
// form, and the scenarios that validation/papers/dosta2024/scenarios.py makes, with a few spheres.

#include "packing_runs.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <string>

namespace beadwave::validation::bulk_benchmarks_test {

namespace {

/// One sphere of `sphere` on a plane of `plane`; [law], [friction] and [[pair]] of the benchmarks.
std::string on_a_plane(const std::string& sphere, const std::string& plane,
                       const std::string& more) {
    return R"([material.m1]
youngs_modulus = 1e9
poisson_ratio = 0.2
density = 2500
[material.steel]
youngs_modulus = 210e9
poisson_ratio = 0.2
density = 7200
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
material = ")" +
           plane + R"("
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.3
[[pair]]
materials = ["m1", "steel"]
law = { restitution = 0.4 }
friction = { coefficient = 0.2 }
[sensors]
particles = [0]
interval = 5e-7
[[particles]]
position = [0, 0, 1e-3]
radius = 1e-3
material = ")" +
           sphere + "\"\n" + more;
}

}  // namespace

TEST_CASE("Dosta et al. 2024: a sphere of M1 leaves steel with the restitution of the pair") {
    const Folder folder;
    write_file(folder / "impact.toml",
               on_a_plane("m1", "steel", "velocity = [0, 0, -1]\n[time]\nend = 1e-4\n"));
    // 5e-7 s is the step of the benchmark, a 50th of this contact.
    const Said run = shell(folder,
                           "beadwave run impact.toml --quiet -o fine.h5 "
                           "--set time.resolution=1e-6 && "
                           "beadwave run impact.toml --quiet -o coarse.h5 "
                           "--set time.step=5e-7");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(R"(
import h5py
def leaves(name):
    return h5py.File(name)["observables/sensor_velocity/value"][-1, 0, 2]
assert abs(leaves("fine.h5") / 0.4 - 1) < 1e-4, leaves("fine.h5")
# MercuryDPM stored 0.401075 at this step: both are above 0.4 by what the step costs.
assert abs(leaves("coarse.h5") / 0.4 - 1) < 4e-3, leaves("coarse.h5")
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("Dosta et al. 2024: a sphere of steel slides on M1 as Coulomb's law says") {
    const Folder folder;
    write_file(folder / "slide.toml",
               on_a_plane("steel", "m1",
                          "[gravity]\nacceleration = [5, 0, -5]\n[snapshots]\ninterval = "
                          "0.0050005\n[time]\nend = 0.0050005\nstep = 5e-7\n"));
    const Said run = shell(folder,
                           "beadwave run slide.toml --quiet -o first.h5 && beadwave run "
                           "slide.toml --quiet -o second.h5 --set "
                           "friction.law=mindlin-displacement");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
def end(name):
    f = h5py.File(name)
    o = f["observables"]
    assert abs(o["sensor_velocity/time"][-1] - 0.0050005) < 1e-12
    return o["sensor_velocity/value"][-1, 0, 0], f["particles/all/angular_velocity/value"][-1, 0, 1], o["net_contact_force/value"][-1, 0]
weight = 5 * 7200 * 4 / 3 * np.pi * 1e-9
for name in ("first.h5", "second.h5"):
    speed, spin, force = end(name)
    # It slides, because tan 45 degrees = 1 > 7/2 mu: Coulomb in closed form. In the first moments the
    # overlap builds up and friction is a little less.
    assert abs(speed / ((5 - 0.2 * 5) * 0.0050005) - 1) < 1e-4, speed
    assert abs(spin / (2.5 * 0.2 * 5 * 0.0050005 / 1e-3) - 1) < 3e-4, spin
    assert np.allclose(force[[0, 2]], [-0.2 * weight, weight], rtol=1e-6, atol=0), force
# The end that MercuryDPM stored: 0.02000258 m/s, 12.49965 rad/s, 3.015929e-5 N, 1.507964e-4 N. Like the
# second law it does not reduce the spring when the contact opens.
assert abs(speed / 0.02000258 - 1) < 1e-5, speed
assert abs(spin / 12.49965 - 1) < 1e-5, spin
assert np.allclose(force[[0, 2]], [-3.015929e-5, 1.507964e-4], rtol=1e-6, atol=0)
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("Dosta et al. 2024: scenarios of impact and drum, with a few spheres") {
    const Folder folder;
    write_file(folder / "bed.csv",
               "# nanometres\nx_nm,y_nm,z_nm\n0,0,-89243000\n20000000,0,-89243000\n");
    write_file(folder / "start.csv", "radius_m,x_m,y_m,z_m\n2e-3,0,0,-0.098\n1e-3,0,0.02,-0.099\n");
    const std::string script =
        BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/papers/dosta2024/scenarios.py' ";
    const Said made = shell(
        folder, script + "impact bed.csv impact && " + script + "drum start.csv drum && " +
                    "beadwave run impact/impact.toml --quiet -o impact.h5 --set time.end=2e-3 "
                    "--set snapshots.interval=1e-3 && beadwave run drum/drum.toml --quiet -o "
                    "drum.h5 --set time.end=5e-3 --set snapshots.interval=5e-3");
    REQUIRE_MESSAGE(made.status == 0, made.out, made.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("impact.h5")
place = f["particles/all/position/value"][()]
# Free flight: heights that the authors tabulated for g = 9.8 m/s2, to seven digits.
assert np.allclose(place[1:, 0], [[0, 0, 0.0549951], [0, 0, 0.0499804]], rtol=0, atol=1e-9)
assert np.allclose(place[0, 1:], [[0, 0, -0.089243], [0.02, 0, -0.089243]], rtol=0, atol=1e-15)
assert np.allclose(f["particles/all/mass"][:2], 4 / 3 * np.pi * np.array([7200e-6, 2500e-9]), rtol=1e-13, atol=0)
assert f["parameters/wall_point"].shape[0] == 5
# At the bottom the drum moves to +x at 0.2 m/s, and friction of steel, 0.2, pulls both spheres along.
f = h5py.File("drum.h5")
speed, spin, radius = (f["particles/all/" + name][()] for name in ("velocity/value", "angular_velocity/value", "radius"))
assert np.allclose(radius, [2e-3, 1e-3], rtol=1e-12, atol=0)
assert np.allclose(speed[-1, :, 0], 0.2 * 9.8 * 5e-3, rtol=0.01, atol=0), speed
assert np.allclose(spin[-1, :, 1], -2.5 * 0.2 * 9.8 * 5e-3 / radius, rtol=0.01, atol=0), spin
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("Dosta et al. 2024: a small silo empties as fast with softer spheres" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const std::string scripts =
        BEADWAVE_PYTHON " '" BEADWAVE_SOURCE_DIR "/validation/papers/dosta2024/";
    const auto empty = [&](const std::string& soften, const std::string& step) {
        const std::string given = " --soften " + soften + " --step " + step;
        const std::string quiet = " --quiet -o fill.h5 --set snapshots.interval=0.02 --set ";
        return shell(folder, scripts + "scenarios.py' fill f" + given +
                                 " --spheres 1000 && cd f && " + "beadwave run fill.toml" + quiet +
                                 "time.end=0.08 && cd .. && " + scripts +
                                 "scenarios.py' silo f/fill.h5 f" + given + " && cd f && " +
                                 "beadwave run silo.toml --overwrite" + quiet + "time.end=0.1 && " +
                                 scripts + "counts.py' silo fill.h5 > ../" + soften + ".csv");
    };
    const Said softest = empty("100", "4e-5"), soft = empty("10", "1.25e-5");
    REQUIRE_MESSAGE(softest.status == 0, softest.out, softest.err);
    REQUIRE_MESSAGE(soft.status == 0, soft.out, soft.err);
    // Flows of the same spheres that collide differently: by chance they differ like counts, by a
    // few times the root of those that left.
    const Said read = shell(folder, python(R"(
import csv
tables = [list(csv.DictReader(open(name))) for name in ("100.csv", "10.csv")]
left = [[int(row["left"]) for row in table] for table in tables]
assert [row["t_s"] for row in tables[0]] == ["0", "0.02", "0.04", "0.06", "0.08", "0.1"]
assert left[0][0] == left[1][0] == 1000 and left[0][-1] < 200, left
assert all(abs(a - b) <= 3 * (1000 - b) ** 0.5 for a, b in zip(*left)), left
assert all(a > b for table in left for a, b in zip(table, table[1:])), left
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

}  // namespace beadwave::validation::bulk_benchmarks_test
