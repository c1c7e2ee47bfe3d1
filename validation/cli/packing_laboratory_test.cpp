// Measures, walls with a mass and curved walls on the command line: recorded, resumed, refused.

#include "packing_runs.hpp"
#include "sanitised.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::packing_laboratory_test {

namespace {

/// Spheres in a turning drum with a floor, under a lid with a mass.
constexpr const char* drum = R"(title = "drum"
[material.steel]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 7970
[[particles]]
random = 60
lower = [-6e-3, -6e-3, 1e-3]
upper = [6e-3, 6e-3, 12e-3]
radius = 1e-3
material = "steel"
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
material = "steel"
[[wall]]
shape = "cylinder"
point = [0, 0, 0]
axis = [0, 0, 2]
radius = 0.01
material = "steel"
angular_velocity = 30
[[wall]]
point = [0, 0, 14e-3]
normal = [0, 0, -1]
material = "steel"
mass = 1e-3
pressure = 1e4
area = 3e-4
gain = 0.05
[gravity]
acceleration = [0, 0, -9.81]
[law]
name = "tsuji"
restitution = 0.5
[friction]
law = "mindlin"
coefficient = 0.3
[measure]
interval = 5e-5
lower = [-7e-3, -7e-3, 0]
upper = [7e-3, 7e-3, 4e-3]
[time]
end = 4e-3
step = 2e-6
)";

}  // namespace

TEST_CASE(
    "a packing in a drum under a lid is measured, and an interrupted run gives the same bits") {
    const Folder folder;
    write_file(folder / "drum.toml", drum);
    check_interrupted(folder, "drum.toml", "900");
    // The lid's path is the integral of its velocity; the numbers of the region agree with it.
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("whole.h5"); o = f["observables"]
time = o["stress/time"][()]
assert len(time) == 81 and np.allclose(np.diff(time), 5e-5, rtol=1e-9, atol=0)
z = o["wall_position/value"][:, 2, 2]; v = o["wall_velocity/value"][:, 2, 2]
assert z[-1] < 13.9e-3
assert abs(np.trapezoid(v, time) - (z[-1] - z[0]) if hasattr(np, "trapezoid") else np.trapz(v, time) - (z[-1] - z[0])) < 2e-3 * abs(z[-1] - z[0])
assert o["wall_force/value"][:, 2, 2].max() > 0
stress = o["stress/value"][()]
assert np.array_equal(stress, stress.transpose(0, 2, 1)) and o["stress/value"].attrs["unit"] in (b"Pa", "Pa")
assert np.allclose(o["region_edges/value"], [14e-3, 14e-3, 4e-3], rtol=1e-14)
assert 0 < o["volume_fraction/value"][-1] < 0.7 and o["coordination_number/value"][-1] > 0
assert abs(np.trace(o["fabric/value"][-1]) - 1) < 1e-12
p = f["parameters"]
assert [str(s.decode()) for s in p["wall_shape"][()]] == ["plane", "revolved", "plane"]
assert p["wall_radius"][1].tolist() == [0.01, 0.01] and np.isinf(p["wall_length"][1])
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE(
    "configs/pressed_wave.toml: the stress is the pressure, and the pulse has the speed of sound" *
    doctest::skip(sanitised)) {
    const Folder folder;
    const Said run = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                   "/configs/pressed_wave.toml' --quiet -o wave.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
o = h5py.File("wave.h5")["observables"]
measured, stress = o["stress/time"][()], -o["stress/value"][:, 2, 2]
pressed = np.abs(measured - 4e-3).argmin()
assert abs(stress[pressed] / 1e6 - 1) < 1e-6, stress[pressed]
area = o["region_edges/value"][0, 0] * o["region_edges/value"][0, 1]
assert np.allclose(o["wall_force/value"][pressed, :, 2], [-1e6 * area, 1e6 * area], rtol=1e-6, atol=0)
# Each of the 48 layers has 8 spheres; those of the two ends touch four spheres less and a wall more.
assert o["coordination_number/value"][pressed] == 12 - 2 * 3 / 48
R, modulus = 2.38e-3, 193e9 / (2 * (1 - 0.3**2))
a, m = np.sqrt(8) * R, 7970 * 4 / 3 * np.pi * R**3
force = 1e6 * a**2 / np.sqrt(32)
overlap = (force / (4 / 3 * modulus * np.sqrt(R / 2)))**(2 / 3)
sound = a * np.sqrt(1.5 * force / overlap / (2 * m))
time, v = o["sensor_velocity/time"][()], o["sensor_velocity/value"][:, :, 2]
def half_height(v):
    v = np.where(time >= 4e-3, v, 0)
    k = np.argmax(v > 0.5 * v.max())
    return np.interp(0.5 * v.max(), v[k - 1:k + 1], time[k - 1:k + 1])
speed = 12 * a / (half_height(v[:, 1]) - half_height(v[:, 0]))
# The pulse is ten layers long; its front spreads by dispersion.
assert abs(speed / sound - 1) < 5e-3, (speed, sound)
assert abs(o["relative_energy_error/value"][-1]) < 1e-6
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("wrong walls and measures are refused with one sentence") {
    const std::vector<Wrong> all{
        {"mass = 1e-3\n", "",
         "wall.2.pressure = 10000.0: only a wall with a mass has a load; give mass, in kg, too"},
        {"mass = 1e-3", "mass = 0", "wall.2.mass = 0: must be a number above 0, in kg"},
        {"area = 3e-4\n", "",
         "wall.2.area: missing; give pressure, in Pa, and area, in m^2, or neither"},
        {"gain = 0.05", "target_velocity = 1.0",
         "wall.2.gain: missing; expected a number above 0, in N s/m, that holds the velocity"},
        {"mass = 1e-3", "mass = 1e-3\nvelocity = [0, 0, 1]",
         "wall.2.mass = 0.001: is given together with a prescribed motion along the normal or "
         "axis; a "
         "wall has one of the two"},
        {"axis = [0, 0, 2]", "axis = [0, 0, 0]",
         "wall.1.axis = [0, 0, 0]: must not be zero; its length does not matter"},
        {"axis = [0, 0, 2]\n", "", "wall.1.axis: missing; give"},
        {"axis = [0, 0, 2]", "normal = [0, 0, 2]",
         "wall.1.normal = [0, 0, 2]: a cylinder does not have it"},
        {"radius = 0.01\n", "", "wall.1.radius: missing; give a number above 0, in m"},
        {"\"cylinder\"", "\"tube\"",
         R"(wall.1.shape = "tube": must be "plane", "cylinder", "disc", "cone" or "mesh")"},
        {"upper = [7e-3, 7e-3, 4e-3]\n", "",
         "measure.upper: missing; give lower and upper, the corners of the region, or neither"},
        {"upper = [7e-3, 7e-3, 4e-3]", "upper = [7e-3, 7e-3, -4e-3]",
         "must be above lower along each axis"},
        {"lower = [-7e-3, -7e-3, 0]\nupper = [7e-3, 7e-3, 4e-3]\n", "",
         "measure.lower: missing: along x the packing is neither periodic nor between two plane "
         "walls that face each other; give lower and upper, the corners of the region"}};
    check_refused(drum, all);
}

TEST_CASE("modes refuse curved walls and walls with a mass") {
    const Folder folder;
    write_file(folder / "drum.toml", drum);
    const Said curved = shell(folder, "beadwave modes drum.toml");
    CHECK(curved.status == 2);
    CHECK_MESSAGE(curved.err.find(
                      "wall 1 is curved or a mesh, which linear modes do not know; expected plane "
                      "walls") != std::string::npos,
                  curved.err);
}

}  // namespace beadwave::validation::packing_laboratory_test
