// Segments whose beads are in a CSV file.

#include "beadwave/input_error.hpp"
#include "chain/build_chain.hpp"
#include "relative.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <string>

namespace beadwave::validation::bead_file_test {

namespace {

std::string scenario_with(const std::string& segment, const std::string& material = "") {
    return "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n" + material +
           "[[segment]]\nbeads = 1\nradius = 1e-3\nmass = 1e-3\nmaterial = \"steel\"\n"
           "[[segment]]\nmaterial = \"steel\"\nfile = \"beads.csv\"\n" +
           segment + "[law]\nname = \"hertz\"\n[time]\nend = 1e-4\n";
}

chain::Chain read(const std::string& csv, const std::string& segment = "",
                  const std::string& material = "") {
    return chain::build_chain(io::read_scenario_text(scenario_with(segment, material), "chain.toml",
                                                     {{"segment.1.file", csv}})
                                  .scenario);
}

std::string message(const std::string& csv, const std::string& segment = "",
                    const std::string& material = "") {
    try {
        read(csv, segment, material);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("radius, mass, gap and velocity of each bead come from a file") {
    const chain::Chain chain = read(
        "# measured\n"
        "gap_m,mass_kg,radius_m,velocity_m_per_s\n"
        "0,2e-3,1.5e-3,0\n"
        "1e-6,3e-3,2e-3,-0.5\n"
        "-2e-7,1e-3,0.5e-3,0.25\n");
    REQUIRE(chain.beads() == 4);
    CHECK(chain.radius == std::vector{1e-3, 1.5e-3, 2e-3, 0.5e-3});
    CHECK(chain.mass == std::vector{1e-3, 2e-3, 3e-3, 1e-3});
    CHECK(chain.velocity == std::vector{0.0, 0.0, -0.5, 0.25});
    CHECK(chain.gap[1] == 0.0);
    CHECK(chain.gap[2] == 1e-6);
    CHECK(chain.gap[3] == -2e-7);
    // Hertz: each contact has the effective radius and mass of its own beads.
    const auto factor = [](double ra, double rb) {
        return 4.0 / 3.0 * 193e9 / (2.0 * 0.91) * std::sqrt(ra * rb / (ra + rb));
    };
    const auto force = [&](std::size_t c) { return chain.contacts.at(c).respond(1e-6, 0.0, {}); };
    CHECK_RELATIVE(force(2).force, factor(1.5e-3, 2e-3) * 1e-9, 1e-12);
    CHECK_RELATIVE(force(3).force, factor(2e-3, 0.5e-3) * 1e-9, 1e-12);
    CHECK_RELATIVE(chain.effective_mass(3), 3e-3 * 1e-3 / 4e-3, 1e-15);
}

TEST_CASE("beads of a file without a mass have that of the segment or of the density") {
    const std::string csv = "radius_m\n1e-3\n2e-3\n";
    const chain::Chain given = read(csv, "mass = 4e-3\ngap = 1e-7\nvelocity = 0.1\n");
    CHECK(given.mass == std::vector{1e-3, 4e-3, 4e-3});
    CHECK(given.gap[2] == 1e-7);
    CHECK(given.velocity[2] == 0.1);
    const chain::Chain dense = read(csv, "", "density = 7850\n");
    for (const std::size_t bead : {1, 2}) {
        CHECK_RELATIVE(dense.mass[bead],
                       7850.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(dense.radius[bead], 3),
                       1e-14);
    }
}

TEST_CASE("wrong files of beads are refused in one sentence") {
    CHECK(message("mass_kg\n1e-3\n") ==
          "beads.csv, line 1: no column radius_m; expected radius_m,mass_kg");
    CHECK(message("radius_m,mass_kg\n1e-3,1e-3\n0,1e-3\n") ==
          "beads.csv, line 3: radius_m must be above 0");
    CHECK(message("radius_m,mass_kg\n1e-3,-1\n") == "beads.csv, line 2: mass_kg must be above 0");
    CHECK(message("radius_m,mass_kg\n1e-3,\n") ==
          "beads.csv, line 2: mass_kg is empty; expected a number");
    CHECK(message("radius_m,mass_kg\n") ==
          "chain.toml:11: segment.1.file = \"beads.csv\": the file has no row");
    CHECK(message("radius_m,colour\n1e-3,3\n") ==
          "beads.csv, line 1: unknown column \"colour\"; expected radius_m");
    CHECK(message("radius_m\n1e-3\n") ==
          "chain.toml:9: segment.1.mass: missing; give a number above 0, in kg, or material "
          "\"steel\" a density");
    CHECK(message("radius_m,mass_kg\n1e-3,1e-3\n", "radius = 2e-3\n") ==
          "chain.toml:12: segment.1.radius = 0.002: is given together with a file that has "
          "radius_m");
    CHECK(message("radius_m,mass_kg\n1e-3,1e-3\n", "taper = 0.9\n") ==
          "chain.toml:12: segment.1.taper = 0.9: is given together with a file of beads");
    CHECK(message("radius_m,mass_kg\n1e-3,1e-3\n", "beads = 2\n") ==
          "chain.toml:12: segment.1.beads = 2: the file has 1 beads");
}

}  // namespace beadwave::validation::bead_file_test
