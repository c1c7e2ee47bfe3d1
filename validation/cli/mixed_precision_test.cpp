// The key `precision` of packings: what it accepts, and a resumption.

#include "packing_runs.hpp"

namespace beadwave::validation::mixed_precision_test {

namespace {

constexpr const char* crystal = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970

[[particles]]
lattice = "fcc"
cells = [6, 6, 6]
radius = 2.38e-3
material = "steel"
overlap = 1e-7

[[particles]]
position = [0.0, 0.0, -4.8e-3]
radius = 2.38e-3
material = "steel"
velocity = [0.3, 0.2, 1.0]

[law]
name = "hertz"

[friction]
law = "mindlin"
coefficient = 0.3

[time]
end = 1e-3
step = 1e-7
)";

const std::string mixed_crystal = std::string("precision = \"mixed\"\n") + crystal;

}  // namespace

TEST_CASE("a run in mixed precision that is interrupted continues to the bit") {
    const Folder folder;
    write_file(folder / "crystal.toml", mixed_crystal);
    check_interrupted(folder, "crystal.toml", "4000");
}

TEST_CASE("precision is double or mixed, and of packings only") {
    check_refused(mixed_crystal,
                  {{"\"mixed\"", "\"single\"", "precision"},
                   {"radius = 2.38e-3\nmaterial = \"steel\"\nvelocity",
                    "radius = 2e-10\nmaterial = \"steel\"\nvelocity", "\"mixed\" takes radii"}});
    for (const std::string kind : {"chain", "mechanism"}) {
        const Folder folder;
        write_file(folder / "x.toml",
                   kind == "chain"
                       ? "precision = \"mixed\"\n[material.a]\nyoungs_modulus = 1e9\n"
                         "poisson_ratio = 0.3\ndensity = 1000\n[[segment]]\nbeads = 3\nradius = "
                         "1e-3\nmaterial = \"a\"\nvelocity = 1.0\n[law]\nname = "
                         "\"hertz\"\n[time]\nend = 1e-4\n"
                       : "precision = \"mixed\"\n[[body]]\nname = \"a\"\nmass = 1.0\n"
                         "[time]\nend = 1.0\n");
        const Said said = shell(folder, "beadwave run x.toml");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find("precision") != std::string::npos, said.err);
        CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
    }
}

}  // namespace beadwave::validation::mixed_precision_test
