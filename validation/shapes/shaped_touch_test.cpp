// The law of a contact of ellipsoids, and contacts that are too deep.
#include "packing/shaped/shaped_touch.hpp"

#include "beadwave/laws/elliptic_contact.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/elliptic_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace beadwave::validation::shaped_touch_test {
namespace {

using namespace shapes;
using packing::Packing;

packing::ShapedParticle particle_of(const Body& body) {
    packing::ShapedParticle p;
    const Vector& a = body.shape.semi_axes;
    p.semi_axes = a;
    p.radius = std::max({a.x, a.y, a.z});
    p.mass = body.mass;
    p.moments = body.moments;
    p.orientation = body.shape.orientation;
    return p;
}

TEST_CASE("the law of a contact has the ellipse, the mass and the friction of its closing") {
    RandomNumbers random(3);
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    const packing::PairSettings settings{
        .species = {},
        .law = law_settings("hertz"),
        .friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3},
        .rolling = {}};
    for (int i = 0; i < 20; ++i) {
        Body a = solid(random.ellipsoid(3.0), 2500.0), b = solid(random.ellipsoid(3.0), 7800.0);
        b.shape.centre = 0.02 * random.direction();
        const Gap far = gap_between({.first = a, .second = b});
        b.shape.centre += far.overlap * far.normal;  // closer, along the normal: they touch
        const Pair pair{.first = a, .second = b};
        const Gap gap = gap_between(pair);
        const packing::Closing closing =
            packing::closing_of(particle_of(a), particle_of(b), b.shape.centre, gap.normal);
        const laws::ContactEllipse hertz = ellipse(common_normal(a.shape, b.shape));
        CHECK_RELATIVE(closing.mass, impact_mass(pair, gap), 1e-10);
        const double overlap = 1e-6, E = laws::effective_modulus(glass, glass);
        const packing::PairLaw law = packing::law_of(closing, 0.0, settings, glass, glass);
        const double force = law.normal.respond(overlap, 0.0, {}).force;
        CHECK_RELATIVE(force,
                       laws::hertz_stiffness(E, hertz.equivalent_radius) * std::pow(overlap, 1.5),
                       1e-9);
        // Mindlin: 8 G* times the radius of a circle that is as large as the ellipse.
        const double radius = std::sqrt(hertz.semi_major(force, E) * hertz.semi_minor(force, E));
        const double shear = 70e9 / 2.5 / (2.0 * 1.75);
        CHECK_RELATIVE(std::get<laws::Mindlin<double>>(law.slider).tangential_stiffness(overlap),
                       8.0 * shear * radius, 1e-9);
    }
}

TEST_CASE("a contact between an ellipsoid and a wall closes with the mass of their impact") {
    const HalfSpace floor_below{{0.0, 0.0, 1.0}, 0.0};
    Body a = solid({{4e-3, 2.5e-3, 2e-3}, {}, normalised({0.3, -0.5, 0.7, 0.1})}, 2500.0);
    a.shape.centre.z = reach(a.shape, {0.0, 0.0, -1.0});
    const Pair pair{.first = a, .second = floor_below};
    const packing::Closing closing =
        packing::closing_of(particle_of(a), {0.0, 0.0, 1.0}, a.shape.centre.z);
    CHECK_RELATIVE(closing.mass, impact_mass(pair, gap_between(pair)), 1e-12);
    CHECK_RELATIVE(closing.radius, ellipse(contact(a.shape, floor_below)).equivalent_radius, 1e-12);
    packing::ShapedParticle held = particle_of(a);
    held.held = true;
    CHECK(held.mobility({1e-3, 0.0, 0.0}, {0.0, 0.0, 1.0}) == 0.0);
}

TEST_CASE("ellipsoids that are deep in each other are counted and reported") {
    Packing p = shaped_packing(1e6);
    Body a = solid({{3e-3, 1e-3, 1e-3}, {}, {}}, 2500.0), b = a;
    b.shape.centre.y = 1.6e-3;  // flat sides overlap by 0.4 mm; 1/3 mm twice is certain below
    add_body(p, a);
    add_body(p, b);
    const auto shallow = packing::make_packing_engine(p, 1e-6, 1);
    CHECK(shallow->uncertain_normals() == 0);
    CHECK_RELATIVE(shallow->deepest().depth, 0.4, 1e-12);
    CHECK(shallow->deepest().second == 1);
    p.position[1].y = 1.2e-3;
    const auto deep = packing::make_packing_engine(p, 1e-6, 1);
    CHECK(deep->uncertain_normals() == 2);  // forces are computed twice at the start
    deep->advance(3);
    CHECK(deep->uncertain_normals() == 5);
    CHECK_RELATIVE(deep->deepest().overlap, 0.8e-3, 1e-12);
}

}  // namespace
}  // namespace beadwave::validation::shaped_touch_test
