// [[bond]] of packings: which particles it joins, and what it refuses.

#include "packing_texts.hpp"
#include "relative.hpp"

#include <cmath>
#include <string>

namespace beadwave::validation::packing_bonds_test {

namespace {

/// A crystal, a sphere 0.1 mm above one of its corners, and what follows.
std::string cemented(const std::string& more) {
    return R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
[[particles]]
lattice = "simple-cubic"
cells = [3, 2, 2]
radius = 1e-3
material = "steel"
[[particles]]
position = [0.0, 0.0, 4.1e-3]
radius = 1e-3
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-5
step = 1e-8
)" + more;
}

}  // namespace

TEST_CASE("cement joins the particles that a scenario chooses") {
    const auto bonds = [](const std::string& more) {
        return built(cemented("[[bond]]\nyoungs_modulus = 1e9\n" + more)).elements.bonds;
    };
    // A simple cubic crystal of 3 x 2 x 2: 2 2 2 + 3 2 + 3 2 = 20 contacts.
    const auto touching = bonds("tensile_strength = 1e6");
    REQUIRE(touching.size() == 20);
    CHECK(touching[0].tensile_strength == 1e6);
    CHECK(std::isinf(touching[0].shear_strength));
    CHECK(bonds("distance = 0.09e-3").size() == 20);
    CHECK(bonds("distance = 0.11e-3").size() == 21);
    const auto between = bonds("distance = 0.11e-3\ngroups = [1, 0]");
    REQUIRE(between.size() == 1);
    CHECK(between[0].second == 12);
}

TEST_CASE("cement joins ellipsoids, spheres and the balls of clumps that are near each other") {
    const std::string group = "material = \"steel\"\n[[particles]]\n";
    const std::string scenario =
        "dimension = 3\n[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\n"
        "density = 7970\n[[particles]]\nshape = \"ellipsoid\"\nsemi_axes = [1e-3, 2e-3, 1e-3]\n"
        "position = [0, 0, 0]\n" +
        group + "radius = 1e-3\nposition = [2.1e-3, 0, 0]\n" + group +
        "shape = \"clump\"\nspheres = [[-1e-3, 0, 0, 1e-3], [1e-3, 0, 0, 1e-3]]\n"
        "position = [0, 3.1e-3, 0]\n" +
        group +
        "shape = \"clump\"\nspheres = [[-1e-3, 0, 0, 1e-3], [1e-3, 0, 0, 1e-3]]\n"
        "position = [0, 3.1e-3, 2.1e-3]\nmaterial = \"steel\"\n"
        "[law]\nname = \"hertz\"\n[time]\nend = 1e-5\nstep = 1e-8\n"
        "[[bond]]\nyoungs_modulus = 1e9\ndistance = 0.11e-3\n";
    const auto bonds = built(scenario).elements.bonds;
    // The ellipsoid and the sphere; the clumps, one above the other, twice.
    REQUIRE(bonds.size() == 3);
    CHECK(bonds[0].second == 1);
    REQUIRE(bonds[0].ends);
    CHECK_RELATIVE((*bonds[0].ends)[0].depth, 1e-3, 1e-12);
    CHECK_RELATIVE((*bonds[0].ends)[0].radius, 1e-3 * std::cbrt(2.0), 1e-12);
    for (const std::size_t k : {1, 2}) {
        CHECK(bonds[k].first == 2);
        CHECK(bonds[k].second == 3);
        for (const packing::CementEnd& end : *bonds[k].ends) {
            CHECK_RELATIVE(end.place.x, k == 1 ? -1e-3 : 1e-3, 1e-12);
            CHECK(end.radius == 1e-3);
        }
    }
}

TEST_CASE("cement between particles of which none can move is refused with this reason") {
    std::string held = cemented(
        "[[bond]]\nyoungs_modulus = 1e9\ndistance = 0.11e-3\n"
        "groups = [0, 1]\n[[drive]]\nparticles = [12, 12]\n"
        "velocity = [0, 0, 0.1]\n");
    CHECK(built(held).elements.bonds.size() == 1);  // the others are free
    held.replace(held.find("cells ="), 0, "fixed = true\n");
    check_refused(held,
                  "bond.0: of the 1 pairs of its particles within 0.00011 m of each other neither "
                  "is free to move: they are fixed, or driven along all axes without rotation");
}

TEST_CASE("cement that a packing cannot have is refused") {
    const auto refused = [](const std::string& more, const std::string& what) {
        check_refused(cemented("[[bond]]\n" + more), what);
    };
    refused("radius_factor = 1.0", "bond.0.youngs_modulus: missing; give a number above 0, in Pa");
    const std::string cement = "youngs_modulus = 1e9\n";
    refused(cement + "groups = [0]",
            "bond.0.groups = [0]: must be the numbers of two [[particles]], such as [0, 1]");
    refused(cement + "groups = [0, 2]",
            "bond.0.groups = [0, 2]: there is no [[particles]] with this number; expected 0 to 1");
    refused(cement + "groups = [1, 1]",
            "no two of its particles are within 0 m of each other; expected a larger distance");
    refused(
        cement + "[[bond]]\n" + cement,
        "bond.1: particles 0 and 1 have a bond of an earlier [[bond]] already; expected groups or "
        "a distance without these");
    refused(cement +
                "[box]\nlower = [-1e-3, -1e-3, -1e-3]\nupper = [5e-3, 5e-3, 9e-3]\nperiodic = "
                "[false, false, true]\n",
            "bond 0: bonds in a periodic box do not work yet; expected no periodic axis");
}

}  // namespace beadwave::validation::packing_bonds_test
