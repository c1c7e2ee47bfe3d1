// Pressing before a run and random radii, on the command line.

#include "chaotic.hpp"
#include "packing_runs.hpp"
#include "sanitised.hpp"

#include <string>
#include <vector>

namespace beadwave::validation::pressed_packing_test {

namespace {

constexpr const char* random_spheres = R"(title = "random"
[material.soft]
youngs_modulus = 1e9
poisson_ratio = 0.3
density = 2500
[[particles]]
random = 60
lower = [0, 0, 0]
upper = [12e-3, 12e-3, 12e-3]
radius = 1e-3
material = "soft"
radii = { law = "lognormal", deviation = 0.15, lowest = 0.7e-3, highest = 1.4e-3 }
seed = 2
[box]
lower = [0, 0, 0]
upper = [12e-3, 12e-3, 12e-3]
periodic = [true, true, true]
shear_rate = [5, 0, 0]
[press]
pressure = 2e5
[law]
name = "hertz"
[friction]
law = "mindlin"
coefficient = 0.3
[measure]
interval = 1e-4
[time]
end = 2e-3
step = 1e-6
)";

}  // namespace

TEST_CASE("a packing that was pressed is sheared, and an interrupted run gives the same bits") {
    const Folder folder;
    write_file(folder / "random.toml", random_spheres);
    check_interrupted(folder, "random.toml", "900");
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
f = h5py.File("whole.h5"); o = f["observables"]
pressure = -np.trace(o["stress/value"][0]) / 3
assert abs(pressure / 2e5 - 1) < 2e-3, pressure
assert o["kinetic_energy/value"][0] == 0
radius = f["particles/all/radius"][()]
assert radius.min() >= 0.7e-3 and radius.max() <= 1.4e-3 and 0.08 < radius.std() / 1e-3 < 0.2
edges = o["box_edges/value"][0]
assert np.allclose(edges, edges[0, 0] * np.eye(3), atol=1e-15) and edges[0, 0] < 8e-3
assert abs(o["volume_fraction/value"][0] - 4 / 3 * np.pi * (radius**3).sum() / edges[0, 0]**3) < 1e-12
assert abs(o["relative_energy_error/value"][-1]) < 1e-4
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("configs/random_packing.toml: it jams and stiffens as its head says" *
          doctest::skip(sanitised)) {
    const Folder folder;
    std::string words;
    for (const std::string& seed : other_seeds(BEADWAVE_SOURCE_DIR "/configs/random_packing.toml"))
        words += " --set " + seed;
    const Said run = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                   "/configs/random_packing.toml' --quiet -o random.h5" +
                                       words);
    REQUIRE_MESSAGE(run.status == 0, run.err);
    // Wide limits: another processor may find another packing.
    const Said read = shell(folder, python(python_between + R"(
import h5py, numpy as np
o = h5py.File("random.h5")["observables"]
stress, fraction, contacts, loose = (o[name + "/value"][()] for name in ("stress", "volume_fraction", "coordination_number", "rattlers"))
pressure = -np.trace(stress, axis1=1, axis2=2) / 3
assert abs(pressure[0] / 1e3 - 1) < 2e-3
between("fraction", fraction[0], 0.63, 0.645)
between("contacts of those that carry", contacts[0] * 300 / (300 - loose[0]), 5.999, 6.3)
later = slice(10, None)
line = np.polyfit(fraction[later], pressure[later]**(2 / 3), 1)
between("where the stiffness begins, less the fraction", -line[1] / line[0] - fraction[0], -1e-3, 2e-4)
rest = pressure[later]**(2 / 3) - np.polyval(line, fraction[later])
between("scatter about the line", rest.std() / pressure[-1]**(2 / 3), -1, 0.02)
assert abs(o["relative_energy_error/value"][-1]) < 1e-6
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("wrong pressing and radii are refused with one sentence") {
    const std::vector<Wrong> all{
        {"pressure = 2e5", "", "press.pressure: missing; give pressure, in Pa, or volume_fraction"},
        {"pressure = 2e5", "pressure = 2e5\nvolume_fraction = 0.6",
         "press.volume_fraction = 0.6: is given in addition to pressure; give one of the two"},
        {"pressure = 2e5", "volume_fraction = 0.1", "the particles already fill 0.1447 of the box"},
        {"[law]", "[[wall]]\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\nmaterial = \"soft\"\n[law]",
         "press: the packing has walls; expected a periodic box without walls"},
        {"name = \"hertz\"", "name = \"jkr\"\nadhesion_energy = 0.1",
         "press: particles under the law jkr pull each other"},
        {"law = \"lognormal\"", "law = \"uniform\"", R"(must be "normal", "lognormal" or "table")"},
        {", deviation = 0.15", "", "particles.0.radii.deviation: missing; give"},
        {"deviation = 0.15", "deviation = 0.15, file = \"x.csv\"",
         "only law = \"table\" has a file"},
        {"lowest = 0.7e-3", "lowest = 2e-3",
         "particles.0.radii.highest = 0.0014: must be above "
         "lowest"},
        {"lowest = 0.7e-3, highest = 1.4e-3", "lowest = 5, highest = 6",
         "10,000 draws gave no radius from 5 to 6 m; expected a wider range"},
        {"seed = 2", "seed = 2\ndisorder = 0.1",
         "particles.0.disorder = 0.1: is given in addition to radii; give one of the two"},
        {"law = \"lognormal\", deviation = 0.15", "law = \"table\", file = \"bad.csv\"",
         "particles.0.radius = 0.001: is given in addition to a table of radii"},
        {"radius = 1e-3\nmaterial = \"soft\"\nradii = { law = \"lognormal\", deviation = 0.15",
         "material = \"soft\"\nradii = { law = \"table\", file = \"bad.csv\"",
         "its fraction goes from 0 to 0.9; expected from 0 to 1"}};
    check_refused(random_spheres, all, "bad.csv", "radius_m,fraction\n0.7e-3,0\n1.4e-3,0.9\n");
}

TEST_CASE("radii come from a table") {
    const Folder folder;
    std::string text = random_spheres;
    const std::string old =
        "radius = 1e-3\nmaterial = \"soft\"\nradii = { law = \"lognormal\", deviation = 0.15";
    text.replace(text.find(old), old.size(),
                 "material = \"soft\"\nradii = { law = \"table\", file = \"sieves.csv\"");
    write_file(folder / "random.toml", text);
    write_file(folder / "sieves.csv", "radius_m,fraction\n0.8e-3,0\n1e-3,0.5\n1.2e-3,1\n");
    const Said run = shell(folder, "beadwave run random.toml --quiet --set time.end=1e-5 -o a.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
radius = h5py.File("a.h5")["particles/all/radius"][()]
assert radius.min() >= 0.8e-3 and radius.max() <= 1.2e-3
# 60 draws: half of them below 1 mm, within three standard deviations.
assert abs((radius < 1e-3).sum() - 30) < 12
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
}

TEST_CASE("a table of radii with steps and plateaus mixes two sizes, and sizes between others") {
    const Folder folder;
    std::string text = random_spheres;
    const std::string old =
        "radius = 1e-3\nmaterial = \"soft\"\nradii = { law = \"lognormal\", deviation = 0.15";
    text.replace(text.find(old), old.size(),
                 "material = \"soft\"\nradii = { law = \"table\", file = \"two.csv\"");
    write_file(folder / "random.toml", text);
    const auto run = [&](const std::string& rows) {
        write_file(folder / "two.csv", "radius_m,fraction\n" + rows);
        return shell(folder, "beadwave run random.toml --quiet --set time.end=1e-5 -o a.h5");
    };
    // A quarter has 0.8 mm, half 1.2 mm, and the last quarter lies between 1.2 and 1.3 mm.
    const Said mixed = run("0.8e-3,0\n0.8e-3,0.25\n1.2e-3,0.25\n1.2e-3,0.75\n1.3e-3,1\n");
    REQUIRE_MESSAGE(mixed.status == 0, mixed.err);
    const Said read = shell(folder, python(R"(
import h5py, numpy as np
radius = h5py.File("a.h5")["particles/all/radius"][()]
small, large, between = radius == 0.8e-3, radius == 1.2e-3, (radius > 1.2e-3) & (radius < 1.3e-3)
assert (small | large | between).all()
# 60 draws: 15, 30 and 15, within three standard deviations.
assert abs(small.sum() - 15) <= 10 and abs(large.sum() - 30) <= 12
)"));
    CHECK_MESSAGE(read.status == 0, read.out, read.err);
    const auto refused = [&](const std::string& rows, const std::string& why) {
        const Said said = run(rows);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(why) != std::string::npos, said.err);
    };
    refused("0.8e-3,0\n1e-3,0.5\n1e-3,0.5\n1.2e-3,1\n", "has the row of 0.001 m twice");
    refused("0.8e-3,0\n1e-3,0.5\n0.9e-3,0.6\n1.2e-3,1\n", "radius_m must not decrease");
    refused("0.8e-3,0\n1e-3,0.5\n1.1e-3,0.4\n1.2e-3,1\n", "its fraction decreases");
}

}  // namespace beadwave::validation::pressed_packing_test
