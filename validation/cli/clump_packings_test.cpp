// Packings of clumps as a person runs them: a rebound of a table, the history, an interrupted run,
// the scenario of configs, and what is refused.
#include "chaotic.hpp"
#include "packing_runs.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::clump_packings_test {
namespace {

using nlohmann::json;

/// Clumps before a wall; text behind [[particles]], and at the end.
std::string clumps_on_wall(const std::string& particles, const std::string& more,
                           const std::string& law = "name = \"hertz\"") {
    return "[material.glass]\nyoungs_modulus = 70e9\npoisson_ratio = 0.25\ndensity = 2500.0\n"
           "[[particles]]\nmaterial = \"glass\"\nshape = \"clump\"\n" +
           particles +
           "[[wall]]\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\nmaterial = \"glass\"\n[law]\n" + law +
           "\n" + more;
}

/// The datasets of /particles/all; of elements the last sample.
json particles_of(const Folder& folder, const std::string& history, const std::string& names) {
    const Said said = shell(
        folder, fmt::format("'" BEADWAVE_PYTHON "' -c 'import h5py, json; g = h5py.File(\"{}\")"
                            "[\"particles/all\"]; print(json.dumps([(g[n][\"value\"][-1] if "
                            "isinstance(g[n], h5py.Group) else g[n][:]).tolist() for n in "
                            "\"{}\".split()]))'",
                            history, names));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

TEST_CASE(
    "a dumbbell rebounds from a wall as the table of rigid ones says, at the step that is "
    "chosen") {
    for (const Row& row : table("shapes/dumbbell_wall.csv")) {
        const double radius = number(row, "radius_m"), distance = number(row, "distance_m"),
                     angle = number(row, "angle_deg") * std::numbers::pi / 180.0,
                     e = number(row, "restitution");
        CAPTURE(row.at("case"));
        const Folder folder;
        write_file(folder / "s.toml",
                   clumps_on_wall(
                       fmt::format(
                           "spheres = [[1.0, 2.0, 3.0, {0:.17e}], [{1:.17e}, 2.0, 3.0, {0:.17e}]]\n"
                           "position = [0, 0, {2:.17e}]\norientation = [{3:.17e}, 0, {4:.17e}, "
                           "0]\nvelocity = [0, 0, {5}]\nangular_velocity = [0, {6}, 0]\n",
                           radius, 1.0 + distance, radius + 0.5 * distance * std::sin(angle),
                           std::cos(0.5 * angle), -std::sin(0.5 * angle), number(row, "vz"),
                           -number(row, "omega")),
                       "[time]\nend = 2e-3\n[snapshots]\ninterval = 2e-3\n",
                       e < 1.0 ? fmt::format("name = \"exact\"\nrestitution = {}\nimpact_speed = "
                                             "\"per-contact\"",
                                             e)
                               : "name = \"hertz\""));
        const Said said = shell(folder, "beadwave run s.toml --quiet");
        REQUIRE_MESSAGE(said.status == 0, said.err);
        const json read = particles_of(
            folder, "s.h5",
            "velocity angular_velocity mass inertia clump_spheres clump_particle orientation");
        // The impact lasts 1e-5 s; the rigid ones of the table last no time.
        const double size = std::abs(number(row, "vz"));
        CHECK_ABSOLUTE(read[0][0][2].get<double>(), number(row, "vz_final"), 3e-3 * size);
        CHECK_ABSOLUTE(read[1][0][1].get<double>() * distance,
                       -number(row, "omega_final") * distance, 3e-3 * size);
        CHECK_RELATIVE(read[2][0].get<double>(), number(row, "mass_kg"), 1e-12);
        CHECK_RELATIVE(read[3][0][1].get<double>(), number(row, "I_kgm2"), 1e-12);
        REQUIRE(read[4].size() == 2);
        CHECK_ABSOLUTE(read[4][0][0].get<double>(), -0.5 * distance, 1e-15);
        CHECK_ABSOLUTE(read[4][1][0].get<double>(), 0.5 * distance, 1e-15);
        CHECK(read[4][1][3].get<double>() == radius);
        CHECK(read[5] == json({0.0, 0.0}));
        CHECK(read[6][0][1].get<double>() == 0.0);  // it turned about y
    }
}

TEST_CASE("a run of clumps that is interrupted continues to the bit") {
    const Folder folder;
    write_file(folder / "box.toml",
               clumps_on_wall(
                   "spheres = [[0, 0, 0, 1.2e-3], [1.5e-3, 0, 0, 1e-3], [0, 1e-3, 5e-4, 8e-4]]\n"
                   "random = 8\nlower = [0, 0, 0]\nupper = [0.012, 0.012, 0.015]\norientation = "
                   "\"random\"\ndisorder = 0.05\n",
                   "[friction]\nlaw = \"mindlin\"\ncoefficient = 0.3\n[gravity]\n"
                   "acceleration = [0, 0, -9.81]\n[box]\nlower = [0, 0, 0]\nupper = [0.012, "
                   "0.012, 0.01]\nperiodic = [true, true, false]\n[time]\nend = 4e-3\nstep = "
                   "2e-7\n[snapshots]\ninterval = 1e-3\n[measure]\nupper = [0.01, 0.01, "
                   "0.01]\nlower = [0, 0, 0]\n"));
    check_interrupted(folder, "box.toml --set particles.0.velocity=[0.5,0,-2]", "12000");
}

TEST_CASE("what packings of clumps do not have is refused in one sentence, at its key") {
    const std::string spheres = "spheres = [[0, 0, 0, 1e-3], [1e-3, 0, 0, 1e-3]]\n",
                      place = "position = [0, 0, 5e-3]\n", end = "[time]\nend = 1e-5\n",
                      shape = "shape = \"clump\"\n";
    const std::string right =
        "dimension = 3\n" + clumps_on_wall(spheres + place + "velocity = [0, 0, -1]\n", end);
    const std::string random = "random = 2\nlower = [0, 0, 0]\nupper = [0.1, 0.1, 0.1]\n";
    check_refused(
        right,
        {{spheres, "",
          "particles.0.spheres: missing; give a list of spheres [x, y, z, radius], in m"},
         {spheres, "spheres = []\n", "particles.0.spheres"},
         {spheres, "spheres = []\n", "has 0 spheres; expected from 1 to 100"},
         {spheres, "spheres = [[0, 0, 0]]\n", "must be [x, y, z, radius], in m"},
         {spheres, "spheres = [0, 0, 0, 1e-3]\n", "must be [x, y, z, radius], in m"},
         {spheres, "spheres = 1e-3\n", "must be a list of spheres [x, y, z, radius], in m"},
         {spheres, "spheres = [[0, 0, \"a\", 1e-3]]\n", "particles.0.spheres"},
         {spheres, "spheres = [[0, 0, 0, 1e-3], [0, 0, 0, 0.0]]\n",
          "has a sphere, number 1, of the radius 0 m; expected a finite number above 0"},
         {spheres, "spheres = [[0, 0, 0, -1e-3]]\n",
          "has a sphere, number 0, of the radius -0.001 m; expected a finite number above 0"},
         {spheres, spheres + "radius = 1e-3\n",
          "is given, but clumps have spheres; give those alone"},
         {spheres, spheres + "semi_axes = [1e-3, 1e-3, 1e-3]\n",
          "belongs to shape = \"ellipsoid\" or \"superellipsoid\"; a clump has spheres"},
         {spheres, spheres + "length = 2e-3\n", "makes cylinders, but the shape is \"clump\""},
         {shape, "shape = \"ellipsoid\"\nsemi_axes = [1e-3, 1e-3, 1e-3]\n",
          "belongs to shape = \"clump\"; the shape is \"ellipsoid\""},
         {shape, "radius = 1e-3\n", "belongs to shape = \"clump\"; a sphere has a radius"},
         {spheres, spheres + "orientation = [0, 0, 0, 0]\n", "has zero length"},
         {place, "file = \"more.csv\"\n",
          "has spheres or ellipsoids; expected lattice, position or random for clumps"},
         {"dimension = 3", "dimension = 2", "is for packings in space; expected dimension = 3"},
         {place, random + "radii = { law = \"table\", file = \"more.csv\" }\n",
          "is a table of radii, which clumps do not have"},
         {"dimension = 3", "precision = \"mixed\"", "expected \"double\" for clumps"},
         {"dimension = 3", "device = \"twin\"", "clumps run on the processor's cores"}},
        "more.csv", "x_m,y_m,z_m,radius_m\n0,0,5e-3,2e-3\n");
}

TEST_CASE("configs/rods_drum.toml: the drum does the work that the weight of the rods takes" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const Said said = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                    "/configs/rods_drum.toml' --json --quiet -o drum.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json energy = json::parse(said.out).at("energy");
    CHECK(energy.at("largest_relative_energy_error").get<double>() < 1e-4);
    // All walls turn alike: their work W is the speed w times the integral of their torque about
    // y, and this torque is dL/dt - m g x. All rods have one mass m.
    const Said numbers = shell(
        folder, "'" BEADWAVE_PYTHON
                "' -c 'import h5py, json; f = h5py.File(\"drum.h5\"); "
                "p = f[\"particles/all\"]; x = p[\"position/value\"][:].mean(axis=1); "
                "t = p[\"position/time\"][:]; m = p[\"mass\"][:].sum(); o = f[\"observables\"]; "
                "g = 9.81; area = ((x[1:, 0] + x[:-1, 0]) / 2 * (t[1:] - t[:-1])).sum(); "
                "l = o[\"angular_momentum/value\"][:, 1]; work = o[\"external_work/value\"][-1] + "
                "m * g * (x[-1, 2] - x[0, 2]); late = x[t > 0.25, 0]; "
                "print(json.dumps([work, 4.0 * (l[-1] - l[0] - m * g * area), late.min(), "
                "late.max()]))'");
    REQUIRE_MESSAGE(numbers.status == 0, numbers.err);
    const json found = json::parse(numbers.out);
    MESSAGE(numbers.out);
    // The integral is one of snapshots, 5 ms apart.
    CHECK_RELATIVE(found[0].get<double>(), found[1].get<double>(), 1e-4);
    CHECK(found[0].get<double>() > 1e-3);
    // Negative: the side that rises.
    CHECK_BETWEEN(found[2].get<double>(), -0.018, -0.014);
    CHECK_BETWEEN(found[3].get<double>(), -0.012, -0.006);
}

TEST_CASE("configs/dumbbells.toml: dumbbells tumble down, and the ledger closes" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const Said said = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                    "/configs/dumbbells.toml' --json --quiet -o slope.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json energy = json::parse(said.out).at("energy");
    CHECK(energy.at("largest_relative_energy_error").get<double>() < 1e-4);
    CHECK(energy.at("friction").get<double>() > 0.0);
    double mean = 0.0;
    const json velocity = particles_of(folder, "slope.h5", "velocity")[0];
    REQUIRE(velocity.size() == 40);
    for (const json& v : velocity)
        mean += v[0].get<double>() / 40.0;
    // Without friction: 9.81 m/s^2 sin(30 degrees) 0.25 s.
    MESSAGE("mean speed ", mean, " m/s");
    CHECK_BETWEEN(mean, 0.5, 1.0);
}

}  // namespace
}  // namespace beadwave::validation::clump_packings_test
