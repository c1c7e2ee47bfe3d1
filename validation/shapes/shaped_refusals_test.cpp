// What packings of ellipsoids refuse, each in one sentence.
#include "packing/build/particle_shapes.hpp"
#include "packing/packing.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::validation::shaped_refusals_test {
namespace {

using packing::Packing;

Packing good() {
    Packing p = shaped_packing(70e9);
    p.species_list[0].elasticity.yield_stress = 1e9;
    for (const double x : {0.0, 0.01}) {
        add_body(
            p, shapes::solid({.semi_axes = {2e-3, 1e-3, 1e-3}, .centre = {x, 0.0, 5e-3}}, 2500.0));
    }
    p.walls.push_back({});
    return p;
}

TEST_CASE("packings of ellipsoids refuse what their engine does not know") {
    CHECK(packing::validate(good()) == "");
    struct Case {
        std::function<void(Packing&)> spoil;
        std::string message;
    };
    const std::vector<Case> cases{
        {[](Packing& p) { p.semi_axes.clear(); },
         "orientations of spheres; expected semi-axes for them"},
        {[](Packing& p) { p.semi_axes.pop_back(); },
         "semi-axes and orientations: expected one value per particle, spheres included"},
        {[](Packing& p) { p.orientation.pop_back(); },
         "semi-axes and orientations: expected one value per particle, spheres included"},
        {[](Packing& p) { p.semi_axes[1].y = 0.0; },
         "particle 1: a semi-axis is not a finite number above 0"},
        {[](Packing& p) { p.semi_axes[1].z = std::numeric_limits<double>::infinity(); },
         "particle 1: a semi-axis is not a finite number above 0"},
        {[](Packing& p) { p.radius[0] = 1e-3; },
         "particle 0: radius 0.001 m; expected the largest semi-axis, 0.002 m"},
        {[](Packing& p) {
             p.orientation[1] = {1.0, 1.0, 0.0, 0.0};
         },
         "particle 1: the orientation has the length 1.41421; expected a unit quaternion"},
        {[](Packing& p) { p.orientation[1].x = std::numeric_limits<double>::quiet_NaN(); },
         "particle 1: the orientation has the length nan; expected a unit quaternion"},
        {[](Packing& p) {
             p.dimension = 2;
             for (std::size_t i = 0; i < p.particles(); ++i)
                 p.position[i] = {p.position[i].x, p.position[i].z, 0.0};
             p.walls[0].shape = packing::Plane{{}, {0.0, 1.0, 0.0}};
         },
         "ellipsoids are bodies in space; expected dimension 3"},
        {[](Packing& p) {
             p.elements.bonds.push_back({.first = 0, .second = 1, .youngs_modulus = 1e9});
         },
         "bond 0: ends of the cement: expected those of both particles in a packing with shapes, "
         "and none between spheres"},
        {[](Packing& p) {
             p.elements.bonds.push_back({.first = 0, .second = 1, .youngs_modulus = 1e9});
             p.elements.bonds[0].ends = {{{{}, 1e-3, 1e-3}, {{}, -1e-3, 1e-3}}};
         },
         "bond 0: an end of the cement has a place that is not finite, or a depth or radius that "
         "is not a finite number above 0"},
        {[](Packing& p) { p.precision = packing::Precision::mixed; },
         R"(precision: "mixed" takes spheres; expected "double" for ellipsoids)"},
        {[](Packing& p) { p.place = packing::Place::twin; },
         "device: ellipsoids run on the processor's cores; expected no device"},
        {[](Packing& p) { p.law = law_settings("dmt"); },
         "law \"dmt\" has adhesion, and the neck between surfaces with two radii of curvature is "
         "not known; expected a law without adhesion between ellipsoids"},
        {[](Packing& p) { p.law = law_settings("thornton"); },
         "law \"thornton\" yields under the pressure on a circle; these surfaces touch on an "
         "ellipse of axis ratio 0.5"},
    };
    for (const Case& c : cases) {
        Packing p = good();
        c.spoil(p);
        CHECK(packing::validate(p) == c.message);
    }
}

TEST_CASE("laws of yielding circles, and necks, are allowed while all particles are spheres") {
    Packing p = good();
    for (const char* law : {"thornton", "jkr", "dmt"}) {
        p.law = law_settings(law);
        if (p.law.name != "thornton") p.law.values.insert_or_assign("adhesion_energy", 0.1);
        for (packing::Vec3& a : p.semi_axes)
            a = {2e-3, 2e-3, 2e-3};
        CHECK(packing::validate(p) == "");
    }
    p.exponents.assign(2, {.plane = 3.0, .axis = 3.0});
    p.radius = std::vector<double>(2, shapes::farthest(shape_of(p, 0)));
    CHECK(packing::validate(p).starts_with("law \"dmt\" has adhesion"));
}

TEST_CASE("the plain engine of spheres refuses ellipsoids") {
    CHECK_THROWS_WITH_AS(packing::make_plain_packing_engine(good(), 1e-7),
                         "the plain engine takes spheres; expected no semi-axes",
                         std::invalid_argument);
}

}  // namespace
}  // namespace beadwave::validation::shaped_refusals_test
