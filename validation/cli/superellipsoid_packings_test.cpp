// Packings of superellipsoids as a person runs them: the file of particles, the history, warnings
// of flat contacts, an interrupted run, configs/dice.toml.
#include "packing_runs.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace beadwave::validation::superellipsoid_packings_cli_test {
namespace {

using nlohmann::json;

const std::string material = R"([material.m]
youngs_modulus = 1e8
poisson_ratio = 0.3
density = 1200.0
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
material = "m"
)";

const std::string soft = "[law]\nname = \"hooke\"\nstiffness = 1e4\n";
const std::string ends = "[time]\nend = 2e-3\nstep = 1e-6\n[snapshots]\ninterval = 1e-3\n";

json run_json(const Folder& folder, const std::string& text) {
    write_file(folder / "s.toml", text);
    const Said said = shell(folder, "beadwave run s.toml --json --quiet");
    REQUIRE_MESSAGE(said.status == 0, said.err, text);
    return json::parse(said.out);
}

json column(const Folder& folder, const std::string& name) {
    const Said said =
        shell(folder, fmt::format("'" BEADWAVE_PYTHON "' -c 'import h5py, json; print(json.dumps("
                                  "h5py.File(\"s.h5\")[\"particles/all/{}\"][:].tolist()))'",
                                  name));
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

std::string cube(const std::string& more) {
    return "[[particles]]\nshape = \"superellipsoid\"\nsemi_axes = [5e-3, 5e-3, 5e-3]\nmaterial = "
           "\"m\"\nexponents = [4.0, 4.0]\n" +
           more;
}

TEST_CASE("a superellipsoid has its exponents, radius, mass and moments in the history") {
    const Folder folder;
    run_json(folder, material + soft + ends + cube("position = [0, 0, 8e-3]\n"));
    CHECK(column(folder, "exponents") == json({{4.0, 4.0}}));
    CHECK_RELATIVE(column(folder, "radius")[0].get<double>(), 5e-3 * std::pow(3.0, 0.25), 1e-14);
    // The volume of |x|^4 + |y|^4 + |z|^4 < 1 is 8 Gamma(5/4)^3/Gamma(7/4), and the mean of x^2
    // Gamma(3/4) Gamma(7/4)/(4 Gamma(5/4) Gamma(9/4)).
    const double volume = 8.0 * std::pow(std::tgamma(1.25), 3.0) / std::tgamma(1.75) * 125e-9;
    const double mass = column(folder, "mass")[0];
    CHECK_RELATIVE(mass, 1200.0 * volume, 1e-12);
    const double square = std::tgamma(0.75) * std::tgamma(1.75) /
                          (4.0 * std::tgamma(1.25) * std::tgamma(2.25)) * 25e-6;
    for (int k = 0; k < 3; ++k)
        CHECK_RELATIVE(column(folder, "inertia")[0][k].get<double>(), 2.0 * mass * square, 1e-12);
}

TEST_CASE("a file has semi-axes, orientations and exponents of its superellipsoids") {
    const Folder folder;
    write_file(folder / "p.csv",
               "x_m,y_m,z_m,a_m,b_m,c_m,qw,qx,qy,qz,n2,n1\n0,0,5e-3,2e-3,1e-3,1e-3,1,0,0,0,4,3\n"
               "0,0,12e-3,1e-3,3e-3,2e-3,0,0,0.6,0.8,2,2\n");
    const std::string listed =
        "[[particles]]\nshape = \"superellipsoid\"\nfile = \"p.csv\"\nmaterial = \"m\"\n";
    run_json(folder, material + soft + ends + listed);
    CHECK(column(folder, "exponents") == json({{4.0, 3.0}, {2.0, 2.0}}));
    CHECK(column(folder, "radius")[1] == 3e-3);
    CHECK_RELATIVE(column(folder, "mass")[1].get<double>(),
                   1200.0 * 4.0 / 3.0 * std::acos(-1.0) * 6e-9, 1e-12);
    write_file(folder / "s.toml", material + soft + ends + listed + "exponents = [4, 4]\n");
    const Said both = shell(folder, "beadwave run s.toml --quiet");
    CHECK(both.status == 2);
    CHECK(both.err.find("is given in addition to file, which has those of each particle: n2, n1") !=
          std::string::npos);
    write_file(folder / "p.csv", "x_m,y_m,z_m,a_m,b_m,c_m,n2,n1\n0,0,5e-3,2e-3,1e-3,1e-3,4,9\n");
    write_file(folder / "s.toml", material + soft + ends + listed);
    const Said wrong = shell(folder, "beadwave run s.toml --quiet");
    CHECK(wrong.status == 2);
    CHECK(wrong.err.find("n2 and n1 must be from 2 to 8") != std::string::npos);
}

TEST_CASE("a run warns of contacts that closed on flat places if the law needs a radius") {
    const Folder folder;
    const std::string falling = cube("position = [0, 0, 5.1e-3]\nvelocity = [0, 0, -0.5]\n");
    const auto warnings = [&](const std::string& law) {
        return run_json(folder, material + law + ends + falling).at("warnings").dump();
    };
    CHECK(warnings(soft).find("flat places") == std::string::npos);
    CHECK(warnings("[law]\nname = \"hertz\"\n")
              .find("1 contacts closed on flat places of superellipsoids, where no radius of "
                    "curvature exists: their laws take at most 10 times the largest reach") !=
          std::string::npos);
    CHECK(
        warnings(soft + "[friction]\nlaw = \"mindlin\"\ncoefficient = 0.3\n").find("flat places") !=
        std::string::npos);
}

TEST_CASE("superellipsoids with exponents of 2 are read as ellipsoids") {
    const Folder folder;
    const std::string place = "position = [0, 0, 5.1e-3]\nvelocity = [0.1, 0, -0.5]\n",
                      law = "[law]\nname = \"hertz\"\n",
                      axes =
                          "semi_axes = [5e-3, 4e-3, 3e-3]\nmaterial = \"m\"\norientation = "
                          "[0.8, 0.4, 0.4, 0.2]\n";
    const json ellipsoid = run_json(
        folder, material + law + ends + "[[particles]]\nshape = \"ellipsoid\"\n" + axes + place);
    const json positions = column(folder, "velocity/value");
    const json two = run_json(folder, material + law + ends +
                                          "[[particles]]\nshape = \"superellipsoid\"\nexponents = "
                                          "[2, 2]\n" +
                                          axes + place);
    CHECK(column(folder, "velocity/value") == positions);
    CHECK(two.at("energy") == ellipsoid.at("energy"));
}

TEST_CASE("an interrupted run of superellipsoids with friction ends with the same bits" *
          doctest::skip(sanitised)) {
    const Folder folder;
    write_file(folder / "cubes.toml",
               material +
                   "[law]\nname = \"tsuji\"\nrestitution = 0.5\n[friction]\nlaw = "
                   "\"mindlin\"\ncoefficient = 0.4\n[gravity]\nacceleration = [1.0, 0, "
                   "-9.81]\n[box]\nlower = [0, 0, 0]\nupper = [0.04, 0.04, "
                   "0.1]\nperiodic = [true, true, false]\n[time]\nend = 0.02\nstep = "
                   "2e-6\n[snapshots]\ninterval = 2e-3\n" +
                   cube("random = 8\nlower = [0, 0, 0]\nupper = [0.04, 0.04, 0.03]\norientation = "
                        "\"random\"\nvelocity = [0, 0, -1]\n"));
    check_interrupted(folder, "cubes.toml", "5000");
}

TEST_CASE("configs/dice.toml: the dice come to rest, and gravity's work is in the ledger" *
          doctest::skip(sanitised)) {
    const Folder folder;
    const Said said = shell(folder, "beadwave run '" BEADWAVE_SOURCE_DIR
                                    "/configs/dice.toml' --json --quiet -o dice.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    const json energy = json::parse(said.out).at("energy");
    const double work = energy.at("external_work");
    CHECK(work > 0.0);
    CHECK(energy.at("kinetic").get<double>() < 0.02 * work);
    CHECK(energy.at("largest_relative_energy_error").get<double>() < 1e-5);
    CHECK(said.out.find("flat places") == std::string::npos);
}

}  // namespace
}  // namespace beadwave::validation::superellipsoid_packings_cli_test
