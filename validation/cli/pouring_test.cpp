// Particles that are poured and leave, on the command line: recorded, resumed, exported, shown,
// refused.

#include "packing_runs.hpp"
#include "sanitised.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::pouring_test {

namespace {

/// Rough discs of random radii fall through a funnel of two walls and leave.
constexpr const char* rain = R"(title = "rain"
dimension = 2
[material.soft]
youngs_modulus = 1e6
poisson_ratio = 0.3
density = 2500
[[particles]]
position = [0, 2e-3]
radius = 1.5e-3
material = "soft"
fixed = true
[[particles]]
random = 60
lower = [-8e-3, 8e-3]
upper = [8e-3, 14e-3]
radius = 0.6e-3
radii = { law = "lognormal", deviation = 0.2, lowest = 0.3e-3, highest = 1e-3 }
seed = 3
velocity = [0, -0.5]
angular_velocity = [20]
material = "soft"
pour = { rate = 3000, start = 1e-3 }
[[wall]]
point = [-10e-3, 0]
normal = [1, 0.5]
material = "soft"
[[wall]]
point = [10e-3, 0]
normal = [-1, 0.5]
material = "soft"
[[exit]]
point = [0, -1e-3]
normal = [0, 2]
[[exit]]
lower = [4e-3, -1e-3]
upper = [9e-3, 2e-3]
[gravity]
acceleration = [0, -9.81]
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.4
[measure]
interval = 1e-3
lower = [-10e-3, -1e-3]
upper = [10e-3, 14e-3]
[measure.grid]
cells = [8, 6]
width = 1e-3
[sensors]
particles = [0, 1, 60]
interval = 1e-4
[snapshots]
interval = 2e-3
[time]
end = 40e-3
step = 4e-6
)";

}  // namespace

TEST_CASE("poured particles are recorded, and an interrupted run gives the same bits") {
    const Folder folder;
    write_file(folder / "rain.toml", rain);
    check_interrupted(folder, "rain.toml", "3000");
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("whole.h5"); o = f["observables"]; p = f["particles/all"]
presence = p["presence/value"][()]; time = p["position/time"][()]
assert presence.shape == (21, 61) and set(np.unique(presence)) == {0, 1, 2}
assert (presence[0] == np.r_[1, np.zeros(60)]).all() and (np.diff(presence, axis=0) >= 0).all()
position, velocity, mass = p["position/value"][()], p["velocity/value"][()], p["mass"][()]
waiting, left = presence == 0, presence == 2
assert np.array_equal(position[waiting], np.tile([0, 11e-3, 0], (waiting.sum(), 1))) and not velocity[waiting].any()
assert not velocity[left].any() and not p["angular_velocity/value"][()][waiting | left].any()
# When each came and left, and through which exit.
came, gone = o["entries"], o["exits"]
assert np.array_equal(came["particle"][()], np.arange(1, 61))
due = 1e-3 + np.arange(60) / 3000
wait = came["entry_time"][()] - due
assert (wait >= -1e-12).all() and (wait < 80e-6 + 1e-12).sum() > 50  # within 20 steps, if there was room
number, through, when = gone["particle"][()], gone["exit"][()], gone["exit_time"][()]
assert len(number) == len(set(number)) == left[-1].sum() > 20 and set(through) == {0, 1}
at = position[-1, number, :2]
first = through == 0
assert (at[first, 1] < -1e-3).all() and (at[first, 1] > -1e-3 - 2 * 80e-6).all()
assert ((at[~first] >= [4e-3, -1e-3]) & (at[~first] < [9e-3, 2e-3])).all()
assert (np.diff(when) >= 0).all()
# Counts over time.
t, inside = o["particles_inside/time"][()], o["particles_inside/value"][()]
entry, leave = came["entry_time"][()], when
assert all(n == 1 + (entry < x - 1e-9).sum() - (leave < x - 1e-9).sum() for x, n in zip(t, inside))
assert np.array_equal(o["particles_left/value"][-1], np.bincount(through, minlength=2))
# The energy that came: before anything has left, all poured particles had the same velocities.
k = np.searchsorted(t, leave[0]) - 1
here = np.arange(1, 61)[entry < t[k] - 1e-9]
energy = 0.5 * (mass[here] * 0.5**2 + p["inertia"][here] * 20**2)
assert np.isclose(o["inflow_energy/value"][k], energy.sum(), rtol=1e-12)
assert np.allclose(o["inflow_momentum/value"][k], [0, -0.5 * mass[here].sum(), 0], rtol=1e-12)
assert o["inflow_energy/value"][-1] < o["inflow_energy/value"][k]
assert abs(o["relative_energy_error/value"][()]).max() < 1e-3
# Measures count only those that are there.
radius = p["radius"][()]
row = np.searchsorted(o["volume_fraction/time"][()], 20e-3 - 1e-9)
x = position[10]; there = (presence[10] == 1) & (abs(x[:, 0]) < 10e-3) & (x[:, 1] >= -1e-3) & (x[:, 1] < 14e-3)
assert np.isclose(o["volume_fraction/value"][row], np.pi * (radius[there]**2).sum() / (20e-3 * 15e-3), rtol=1e-12)
contacts = f["connectivity/contacts"]; pair = contacts["pair"][()]; splits = contacts["row_splits"][()]
for k in range(21):
    both = pair[splits[k]:splits[k + 1]].ravel()
    assert (presence[k][both[both < 61]] == 1).all()
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("the summary of a packing counts its particles, and warns of those that did not come") {
    const Folder folder;
    write_file(folder / "rain.toml", rain);
    const Said done = shell(folder,
                            "beadwave run rain.toml --json > all.json && "
                            "beadwave run rain.toml --set time.end=10e-3 "
                            "--set exit.0.point=[0,1e-3] > text 2>&1");
    REQUIRE_MESSAGE(done.status == 0, done.err);
    const Said read = shell(folder, python(R"(
import json
run, text = json.load(open("all.json")), open("text").read()
assert run["particles_inside"] + run["particles_left"] == 61 and run["particles_waiting"] == 0
energy = run["energy"]
left_over = energy["kinetic"] + energy["stored"] + energy["dissipated"] - energy["initial"] - energy["external_work"] - energy["inflow"]
assert abs(left_over) < 1e-3 * max(map(abs, energy.values())) and not any("came" in warning for warning in run["warnings"])
assert "inflow" in text and "28 particles inside at the end, 33 waiting, 0 left" in text, text
assert "only 27 of the 60 particles from 1 on came" in text, text
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("other programs get the particles that are there, and the page shows them" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "rain.toml", rain);
    const Said done = shell(
        folder,
        "beadwave run rain.toml --quiet -o rain.h5 && beadwave export rain.h5 -o rain.dump "
        "&& beadwave export rain.h5 -o rain.data --snapshot 5 && beadwave export rain.h5 -o "
        "rain.vtkhdf && beadwave report rain.h5 -o rain.html --svg rain.svg --xdmf rain.xdmf2");
    REQUIRE_MESSAGE(done.status == 0, done.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
p = h5py.File("rain.h5")["particles/all"]
presence = p["presence/value"][()]
parts = open("rain.dump").read().split("ITEM: NUMBER OF ATOMS\n")[1:]
assert [int(part.split("\n")[0]) for part in parts] == (presence == 1).sum(axis=1).tolist()
rows = parts[7].split("ITEM: ATOMS")[1].split("\n")[1:]
count = (presence[7] == 1).sum()
numbers = [int(row.split()[0]) - 1 for row in rows[:count]]
assert numbers == np.flatnonzero(presence[7] == 1).tolist()
assert f"{(presence[5] == 1).sum()} atoms" in open("rain.data").read()
assert np.array_equal(h5py.File("rain.vtkhdf")["VTKHDF/PointData/presence"][:].reshape(presence.shape), presence)
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("pouring and leaving that cannot be is refused in one sentence") {
    const std::string pour = "pour = { rate = 3000, start = 1e-3 }";
    const std::string exit = "[[exit]]\npoint = [0, -1e-3]\nnormal = [0, 2]";
    check_refused(
        rain,
        {{pour, "pour = { rate = 3000, end = 1e-3 }",
          "particles.1.pour: 60 particles at a rate of 3000 per second come until 0.0196667 s, "
          "after the end, 0.001 s"},
         {pour, "pour = { start = 2e-3, end = 1e-3 }",
          "lasts from 0.002 s to 0.001 s; expected an end after the start"},
         {pour, "pour = { rate = 0 }", "particles.1.pour.rate"},
         {pour, "pour = { speed = 3 }", "particles.1.pour.speed"},
         {pour, pour + "\nfixed = true", "particles.1"},
         {"upper = [8e-3, 14e-3]", "upper = [8e-3, 8.5e-3]",
          "the region is 0.0005 m long along y; expected at least 0.00"},
         {"[[particles]]\nposition = [0, 2e-3]", "[[particles]]\npour = {}\nposition = [0, 2e-3]",
          "particles.0.pour"},
         {"point = [-10e-3, 0]", "point = [-10e-3, 60e-3]", "the region is behind wall 0"},
         {exit, "[[exit]]", "exit.0.point: missing; give point and normal, of a plane, or lower"},
         {exit, "[[exit]]\npoint = [0, 0]\nnormal = [0, 0]",
          "exit.0.normal = [0, 0]: has no direction"},
         {exit, "[[exit]]\npoint = [0, 0]\nnormal = [0, 0, 1]", "exit.0"},
         {exit, "[[exit]]\npoint = [0, 0]", "exit.0.normal"},
         {exit, "[[exit]]\nlower = [0, 0]\nupper = [0, 1]",
          "exit.0: the region is 0 m long along x"},
         {exit, "[[exit]]\npoint = [0, 9e-3]\nnormal = [0, 1]",
          "exit.0: takes particles out of the region in which particles 1 to 60 come"},
         {exit, "[[exit]]\nlower = [0, 9e-3]\nupper = [1, 1]",
          "exit.0: takes particles out of the region"},
         {exit, "[box]\nlower = [-10e-3, 0]\nupper = [10e-3, 1]\nperiodic = [false, true]\n" + exit,
          "exit.0: its normal has a component along y, where the box repeats"},
         {exit, "[[drive]]\nparticles = [5, 5]\nvelocity = [0, -0.5]\nrotates = true\n" + exit,
          "particle 5 is poured, and a drive says from the start where its particle is; expected "
          "particles that are there at the start"},
         {exit, "[press]\npressure = 1e3\n" + exit, "press: "}});
    const Folder folder;
    write_file(folder / "rain.toml", rain);
    const Said modes = shell(folder, "beadwave modes rain.toml");
    CHECK(modes.status == 2);
    CHECK_MESSAGE(modes.err.find("modes need all particles at the start") != std::string::npos,
                  modes.err);
}

TEST_CASE("an exit may take particles at the start, and says so") {
    const Folder folder;
    std::string there = rain;
    const std::string pour = "pour = { rate = 3000, start = 1e-3 }\n";
    there.erase(there.find(pour), pour.size());
    there.replace(there.find("random = 60"), 11, "random = 20");
    there.replace(there.find("[[exit]]"), 8,
                  "[[exit]]\nlower = [0, 8e-3]\nupper = [9e-3, 14e-3]\n[[exit]]");
    write_file(folder / "rain.toml", there);
    const Said done =
        shell(folder, "beadwave run rain.toml --set time.end=1e-4 --set sensors.particles=[1]");
    REQUIRE_MESSAGE(done.status == 0, done.err);
    CHECK_MESSAGE((done.out + done.err).find("exit 0 took ") != std::string::npos, done.out,
                  done.err);
}

TEST_CASE("what one run has poured another presses, and a third strains") {
    const Folder folder;
    const std::string soft =
        "[material.soft]\nyoungs_modulus = 1e6\npoisson_ratio = 0.3\ndensity = 2500\n";
    const std::string box =
        "[box]\nlower = [0, 0, 0]\nupper = [12e-3, 12e-3, 12e-3]\nperiodic = [true, true, true]\n";
    write_file(folder / "pour.toml",
               soft + box +
                   "[[particles]]\nrandom = 60\nlower = [0, 0, 0]\nupper = [12e-3, 12e-3, 12e-3]\n"
                   "radius = 1e-3\nseed = 3\nvelocity = [0, 0, -0.1]\nmaterial = \"soft\"\n"
                   "pour = {}\n[law]\nname = \"hertz\"\n[snapshots]\ninterval = 1e-3\n"
                   "[time]\nend = 2e-3\nstep = 5e-6\n");
    const std::string poured =
        "[[particles]]\nfile = \"poured.data\"\nmaterial = \"soft\"\n"
        "[law]\nname = \"hertz\"\n[time]\nend = 1e-3\n";
    write_file(folder / "press.toml",
               soft + box + poured + "[press]\npressure = 1e3\n[measure]\ninterval = 1e-4\n");
    write_file(folder / "strain.toml", soft + box + "strain_rate = [-20, -20, -20]\n" + poured);
    const Said done = shell(folder,
                            "beadwave run pour.toml -o pour.h5 --quiet && beadwave export pour.h5 "
                            "-o poured.data && beadwave run press.toml -o press.h5 && beadwave run "
                            "strain.toml -o strain.h5");
    REQUIRE_MESSAGE(done.status == 0, done.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
press, strain = h5py.File("press.h5"), h5py.File("strain.h5")
assert len(press["particles/all/mass"]) == len(strain["particles/all/mass"]) == 60
pressure = -np.trace(press["observables/stress/value"][0]) / 3
assert abs(pressure / 1e3 - 1) < 2e-3, pressure  # as accurate as the press
assert abs(strain["observables/relative_energy_error/value"][-1]) < 1e-6
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE(
    "one run pours a bed, presses it with a lid and shears it, interrupted with the same bits") {
    const Folder folder;
    const std::string bed = R"(title = "bed"
[material.soft]
youngs_modulus = 1e6
poisson_ratio = 0.3
density = 2500
[[particles]]
random = 80
lower = [0, 0, 4e-3]
upper = [10e-3, 10e-3, 12e-3]
radius = 1e-3
velocity = [0, 0, -0.5]
material = "soft"
pour = {}
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
material = "soft"
[[wall]]
point = [0, 0, 12e-3]
normal = [0, 0, -1]
velocity = [0.1, 0, 0]
mass = 1e-3
pressure = 500
area = 1e-4
gain = 0.05
start = 10e-3
material = "soft"
[box]
lower = [0, 0, 0]
upper = [10e-3, 10e-3, 1]
periodic = [true, true, false]
strain_rate = [-2, 0, 0]
shear_rate = [10, 0, 0]
start = 15e-3
[gravity]
acceleration = [0, 0, -9.81]
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.4
[measure]
interval = 2.5e-4
[snapshots]
interval = 1e-3
[time]
end = 25e-3
step = 5e-6
)";
    write_file(folder / "bed.toml", bed);
    check_interrupted(folder, "bed.toml", "2900");
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("whole.h5"); o = f["observables"]
assert (f["particles/all/presence/value"][-1] == 1).all()
time = o["wall_displacement/time"][()]
lid, tilt = o["wall_displacement/value"][:, 1], o["box_tilt/value"][:, 0]
edges = o["box_edges/value"][:, 0, 0]
assert not lid[time < 10.1e-3].any() and lid[-1, 2] < -1e-3
assert np.allclose(lid[:, 0], 0.1 * np.clip(time - 10e-3, 0, None), rtol=1e-9, atol=1e-15)
strained = np.clip(o["box_tilt/time"][()] - 15e-3, 0, None)
assert np.allclose(tilt, 10e-3 * 10 * strained, rtol=1e-9, atol=1e-15) and tilt[-1] > 0
assert np.allclose(edges, 10e-3 * (1 - 2 * strained), rtol=1e-12, atol=0)
assert abs(o["relative_energy_error/value"][-1]) < 1e-5, o["relative_energy_error/value"][-1]
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
    check_refused(
        bed,
        {{"mass = 1e-3\npressure = 500\narea = 1e-4\ngain = 0.05\n", "",
          "wall.1.start = 0.01: only a wall with a mass has a load; give mass, in kg, too"},
         {"strain_rate = [-2, 0, 0]\nshear_rate = [10, 0, 0]\n", "",
          "box.start = 0.015: nothing begins then; expected strain_rate, shear_rate or pistons"},
         {"velocity = [0.1, 0, 0]", "velocity = [0.1, 0, 1e-3]",
          "wall.1.mass = 0.001: is given together with a prescribed motion along the normal or "
          "axis"},
         {"start = 15e-3", "start = -1", "box.start = -1: must be a number from 0, in s"}});
}

}  // namespace beadwave::validation::pouring_test
