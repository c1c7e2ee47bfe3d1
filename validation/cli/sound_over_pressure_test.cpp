// The speed of sound of a pressed crystal: from its linear modes at five pressures, and from a
// pulse.

#include "packing_runs.hpp"
#include "program.hpp"
#include "sanitised.hpp"

#include <string>

namespace beadwave::validation::sound_over_pressure_test {

namespace {

/// A fcc crystal of glass whose spheres just touch, which [press] brings to a pressure. `cells`
/// along x, with these edges, two across. The first cell has a velocity.
std::string crystal(int cells, const std::string& edges, const std::string& velocity) {
    const std::string edge = "2.82842712474619e-3";
    const std::string group = R"(
[[particles]]
lattice = "fcc"
radius = 1e-3
material = "glass"
cells = )";
    return R"([material.glass]
youngs_modulus = 70e9
poisson_ratio = 0.2
density = 2500)" +
           group + "[1, 2, 2]\nvelocity = [" + velocity + ", 0, 0]" + group + "[" +
           std::to_string(cells - 1) + ", 2, 2]\norigin = [" + edge + ", 0, 0]\n" + R"(
[box]
lower = [0, 0, 0]
upper = [)" +
           edges +
           R"(, 5.65685424949238e-3, 5.65685424949238e-3]
periodic = [true, true, true]
[press]
pressure = 1e4
[law]
name = "hertz"
[sensors]
particles = [36, 60]
interval = 1e-6
[measure]
interval = 1e-5
[time]
end = 1.4e-4
)";
}

/// Of the crystal with the distance d of its centres: spring k, force F, speeds along [100],
/// pressure.
constexpr const char* closed_form = R"(
import h5py, numpy as np
R, m = 1e-3, 2500 * 4 / 3 * np.pi * 1e-9
K = 4 / 3 * 70e9 / (2 * (1 - 0.2**2)) * np.sqrt(R / 2)
def crystal(d):
    overlap = 2 * R - d
    k, F = 1.5 * K * overlap**0.5, K * overlap**1.5
    # Each layer across [100] is joined to the next by four contacts per sphere at 45 degrees. The force of a
    # contact turns with it and takes F/d from its stiffness across.
    return k, F, d * np.sqrt((k - F / d) / m), d * np.sqrt((k - 3 * F / d) / (2 * m)), 2 * np.sqrt(2) * F / d**2
)";

}  // namespace

TEST_CASE("the speed of sound of a pressed crystal grows with the pressure to the power 1/6" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "fcc.toml", crystal(2, "5.65685424949238e-3", "0"));
    const Said run =
        shell(folder,
              "for p in 1e3 1e4 1e5 1e6 1e7; do beadwave modes fcc.toml --quiet --no-modes --path "
              "0,0,0:0.02,0.02,0 --set 'sensors.particles=[0]' --set press.pressure=$p -o $p.h5 || "
              "exit 1; done");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(std::string(closed_form) + R"(
pressures, speeds = np.array([1e3, 1e4, 1e5, 1e6, 1e7]), []
for name, pressure in zip(("1e3", "1e4", "1e5", "1e6", "1e7"), pressures):
    f = h5py.File(name + ".h5")["dispersion"]
    d = np.linalg.norm(f["lattice"][()], axis=1).min()
    k, F, along, across, p = crystal(d)
    assert abs(p / pressure - 1) < 1.1e-3, p  # the tolerance of [press] is 1e-3
    found = np.sort(np.linalg.norm(f["group_velocity"][0], axis=1))
    print(pressure, found, across, along)
    # d is known to 1e-16 of 2 mm, so the overlap, 10 nm at 1 kPa, to 1e-10.
    assert np.allclose(found, [across, across, along], rtol=1e-6, atol=0), (found, across, along)
    speeds.append(found[[0, 2]])
# Beyond the power 1/6, the factor 1 - overlap/d changes the speed by 5e-4 per decade at most.
exponents = np.diff(np.log(speeds), axis=0) / np.log(10)
assert np.abs(exponents[:3] - 1 / 6).max() < 1e-3, exponents
assert np.abs(exponents[3] - 1 / 6).max() < 3e-3, exponents
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE(
    "a pulse through a pressed crystal moves as the chain of its layers, at the speed of sound") {
    const Folder folder;
    write_file(folder / "pulse.toml", crystal(24, "67.88225099390856e-3", "1e-5"));
    const Said run = shell(folder, "beadwave run pulse.toml --quiet -o pulse.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(std::string(closed_form) + R"(
o = h5py.File("pulse.h5")["observables"]
time, v = o["sensor_velocity/time"][()], o["sensor_velocity/value"][:, :, 0]
edges = o["region_edges/value"][0]
assert abs(o["stress/value"][0, 0, 0] / -1e4 - 1) < 2e-3
d = edges[1] / 2 / np.sqrt(2)
k, F, sound, _, _ = crystal(d)
# The layers, d/sqrt 2 apart, as masses on springs 2 (k - F/d): 48 in a ring, of which 0 and 1 move at the start.
spring, steps = 2 * (k - F / d), 40
u, w = np.zeros(48), np.zeros(48)
w[:2] = 1e-5
dt, expected = 1e-6 / steps, [np.zeros(2)]
def pull():
    return spring / m * (np.roll(u, 1) + np.roll(u, -1) - 2 * u)
a = pull()
for _ in range(1, len(time)):
    for _ in range(steps):
        w += dt / 2 * a; u += dt * w; a = pull(); w += dt / 2 * a
    expected.append(w[[12, 24]])
error = np.abs(v - expected).max() / np.max(expected)
print("largest difference over peak", error)
assert error < 1e-3, error  # of second order in the motion over the overlap, and the tolerance of [press]
def half_height(v):
    n = np.argmax(v > 0.5 * v[: np.argmax(v) + 1].max())
    return np.interp(0.5 * v.max(), v[n - 1:n + 1], time[n - 1:n + 1])
speed = 12 * d / np.sqrt(2) / (half_height(v[:, 1]) - half_height(v[:, 0]))
print("speed", speed, "sound", sound)
# The front spreads by dispersion, as the power 1/3 of its way.
assert abs(speed / sound - 1) < 0.05, (speed, sound)
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
    MESSAGE(read.out);
}

}  // namespace beadwave::validation::sound_over_pressure_test
