// Impacts of superellipsoids: what is kept, the limit of rigid bodies, ellipsoids to the bit, and
// where Hertz's contact does not exist.
#include "beadwave/argument_error.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"
#include "shapes/hertz_validity.hpp"
#include "shapes/impact.hpp"
#include "superellipsoid_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace beadwave::validation::superellipsoid_impact_test {
namespace {

using namespace shapes;

laws::AnyLaw hertz_between(const Pair& pair, double youngs_modulus) {
    const laws::Elasticity material{.youngs_modulus = youngs_modulus, .poisson_ratio = 0.25};
    const laws::ContactEllipse hertz =
        pair.other() != nullptr
            ? ellipse(common_normal(pair.first.shape, pair.other()->shape))
            : ellipse(contact(pair.first.shape, std::get<HalfSpace>(pair.second)));
    return laws::Hertz<double>{
        .stiffness = laws::hertz_stiffness(laws::effective_modulus(material, material),
                                           hertz.equivalent_radius)};
}

struct Kept {
    double energy = 0.0;
    Vector momentum{}, angular{};

    explicit Kept(const Pair& pair) {
        add(pair.first);
        if (const Body* const other = pair.other()) add(*other);
    }
    void add(const Body& b) {
        energy += translational_energy(b) + rotational_energy(b);
        momentum += b.mass * b.velocity;
        angular +=
            b.mass * cross(b.shape.centre, b.velocity) + to_space(b.shape.orientation, b.momentum);
    }
};

/// On their way to each other, turning.
Pair random_flight(RandomNumbers& random, const Superellipsoid& one, const Superellipsoid& two) {
    Body a = solid(one, 2500.0), b = solid(two, 7800.0);
    a.shape.centre = 0.02 * random.direction();
    b.shape.centre = a.shape.centre + 0.015 * random.direction();
    const Vector between = b.shape.centre - a.shape.centre;
    a.velocity = random.direction();
    b.velocity = a.velocity - (1.5 / length(between)) * between;
    set_spin(a, 200.0 * random.direction());
    set_spin(b, 100.0 * random.direction());
    return {.first = a, .second = b};
}

TEST_CASE("superellipsoids keep momentum, angular momentum and energy through an impact") {
    RandomNumbers random(31);
    Largest momenta, turns, energies, works;
    int against_ellipsoids = 0;
    for (int i = 0; i < (sanitised ? 2 : 12); ++i) {
        const Superellipsoid one = random_superellipsoid(random, 3.0);
        const Superellipsoid two =
            i % 4 == 0 ? Superellipsoid(random.ellipsoid(3.0)) : random_superellipsoid(random, 3.0);
        against_ellipsoids += is_ellipsoid(two);
        Pair pair = random_flight(random, one, two);
        const Kept before(pair);
        fly_to_touch(pair);
        const Gap gap = gap_between(pair);
        CHECK(std::abs(gap.overlap) < 1e-14);
        CHECK(gap.approach > 0.0);
        const Impact hit = collide(pair, hertz_between(pair, 70e9));
        const Kept after(pair);
        const double p = pair.other()->mass * 2.0;  // speeds of 1 m/s
        momenta.enter(length(after.momentum - before.momentum) / p);
        turns.enter(length(after.angular - before.angular) / (p * 0.02));
        energies.enter(std::abs(after.energy / before.energy - 1.0));
        works.enter(std::abs(after.energy + hit.contact_work - before.energy) / before.energy);
        CHECK(hit.separation_speed > 0.0);
    }
    MESSAGE("momentum ", double(momenta), ", angular ", double(turns), ", energy ",
            double(energies), ", balance ", double(works));
    CHECK(against_ellipsoids > 0);
    CHECK(momenta < 1e-12);
    CHECK(turns < 1e-11);
    CHECK(energies < 1e-10);
    CHECK(works < 1e-11);
}

TEST_CASE("the stiffer a superellipsoid, the closer its rebound to that of a rigid one") {
    // J = 2 v_n / (1/m + (r x n).I^-1 (r x n)) on a wall, without friction.
    RandomNumbers random(37);
    for (int i = 0; i < (sanitised ? 1 : 5); ++i) {
        Body body = solid(random_superellipsoid(random, 3.0), 2500.0);
        body.shape.centre.z = reach(body.shape, {0.0, 0.0, -1.0});
        body.velocity = {0.3, -0.2, -1.5};
        set_spin(body, 20.0 * random.direction());
        const Pair start{.first = body, .second = HalfSpace{{0.0, 0.0, 1.0}, 0.0}};
        const Vector arm = reach_point(body.shape, {0.0, 0.0, -1.0}), n{0.0, 0.0, 1.0};
        const Vector lever = to_body(body.shape.orientation, cross(arm, n));
        const Vector turned{lever.x / body.moments.x, lever.y / body.moments.y,
                            lever.z / body.moments.z};
        const double mass = 1.0 / (1.0 / body.mass + dot(lever, turned));
        const double closing = dot(n, velocity_at(body, arm));
        if (!(closing < 0.0)) continue;
        const double after = body.velocity.z - 2.0 * closing * mass / body.mass;
        double before = 1.0;
        for (const double modulus : {7e9, 7e12, 7e15}) {
            Pair pair = start;
            collide(pair, hertz_between(pair, modulus));
            const double difference = std::abs(pair.first.velocity.z - after);
            CHECK(difference < 0.5 * before);
            before = difference;
        }
        CHECK(before < 1e-3);
    }
}

TEST_CASE("exponents of 2 collide as ellipsoids do, to the bit") {
    RandomNumbers random(17);
    const Ellipsoid one = random.ellipsoid(3.0), two = random.ellipsoid(3.0);
    Pair pair = random_flight(random, Superellipsoid(one, {.plane = 2.0, .axis = 2.0}), two);
    fly_to_touch(pair);
    const Gap gap = gap_between(pair);
    const Ellipsoid a = as_ellipsoid(pair.first.shape), b = as_ellipsoid(pair.other()->shape);
    const CommonNormal c = common_normal(a, b);
    CHECK(gap.overlap == c.overlap);
    CHECK((gap.normal.x == c.normal.x && gap.normal.y == c.normal.y && gap.normal.z == c.normal.z));
    const Vector arm = reach_point(b, -c.normal);
    CHECK((gap.arm_2.x == arm.x && gap.arm_2.y == arm.y && gap.arm_2.z == arm.z));
}

TEST_CASE("superellipsoids near exponents of 2 collide nearly as ellipsoids do") {
    RandomNumbers random(19);
    const Ellipsoid one = random.ellipsoid(2.0), two = random.ellipsoid(2.0);
    Pair known = random_flight(random, one, two), near = known;
    constexpr double little = 1e-9;
    near.first.shape.exponents = {.plane = 2.0 + little, .axis = 2.0 + little};
    near.other()->shape.exponents = {.plane = 2.0 + little, .axis = 2.0 + little};
    const double time = fly_to_touch(known);
    CHECK_RELATIVE(fly_to_touch(near), time, 1e-7);
    collide(known, hertz_between(known, 70e9));
    collide(near, hertz_between(near, 70e9));
    CHECK(length(near.first.velocity - known.first.velocity) < 1e-6);
    CHECK(length(body_spin(near.first) - body_spin(known.first)) < 1e-6 * 200.0 * 10.0);
}

std::string refusal_of(const Pair& pair) {
    try {
        require_curved(pair, gap_between(pair));
    } catch (const ArgumentError& error) {
        return error.what();
    }
    return "";
}

TEST_CASE("flat on flat, lines and poles without curvatures are refused in one sentence") {
    const auto body = [](const Exponents& exponents, const Vector& centre) {
        return solid(
            Superellipsoid(
                Ellipsoid{.semi_axes = {2e-3, 2e-3, 2e-3}, .centre = centre, .orientation = {}},
                exponents),
            2500.0);
    };
    const HalfSpace floor_below{{0.0, 0.0, 1.0}, 0.0};
    const Exponents cube{.plane = 4.0, .axis = 4.0};
    CHECK(refusal_of({.first = body(cube, {0.0, 0.0, 2e-3}), .second = floor_below}) ==
          "the bodies touch flat on flat: their relative curvatures at the point of contact are 0 "
          "and 0 1/m, and Hertz's contact exists only where both are more than 1e-6 over the size "
          "of the bodies (0.00038 1/m); expected a curved place of one body");
    CHECK(refusal_of({.first = body(cube, {}), .second = body(cube, {0.0, 4e-3, 0.0})})
              .starts_with("the bodies touch flat on flat: "));
    // Turned about x, it stands on an edge along x.
    Body edge = body(cube, {0.0, 0.0, 3e-3});
    edge.shape.orientation = normalised({1.0, 0.3, 0.0, 0.0});
    CHECK(refusal_of({.first = edge, .second = floor_below})
              .starts_with("the bodies touch along a line: "));
    const Exponents prism{.plane = 4.0, .axis = 2.0};
    CHECK(refusal_of({.first = body(prism, {0.0, 0.0, 2e-3}), .second = floor_below})
              .starts_with("the bodies touch at an end of the third axis of a superellipsoid"));
    // A ball on a face, a corner on the floor, an ellipsoid on the floor: all are curved.
    CHECK(refusal_of({.first = body(cube, {}), .second = body({}, {0.0, 0.0, 4e-3})}).empty());
    Body corner = body(cube, {0.0, 0.0, 3e-3});
    corner.shape.orientation = normalised({1.0, 0.3, 0.2, 0.1});
    CHECK(refusal_of({.first = corner, .second = floor_below}).empty());
    CHECK(refusal_of({.first = body({}, {0.0, 0.0, 2e-3}), .second = floor_below}).empty());
}

TEST_CASE("how far the gap departs from its paraboloid has closed forms") {
    // A ball of radius R on a flat: R - sqrt(R^2 - s^2), against s^2/2R.
    const double R = 2e-3;
    const HalfSpace floor_below{{0.0, 0.0, 1.0}, 0.0};
    const Ellipsoid ball{.semi_axes = {R, R, R}, .centre = {0.0, 0.0, R}, .orientation = {}};
    const Pair on_floor{.first = solid(ball, 2500.0), .second = floor_below};
    const auto sagged = [&](double s) {
        return (R - std::sqrt(R * R - s * s)) * 2.0 * R / (s * s);
    };
    CHECK_RELATIVE(departure_from_paraboloid(on_floor, gap_between(on_floor), 0.8e-3, 0.5e-3) + 1.0,
                   sagged(0.8e-3), 1e-10);
    CHECK(std::isinf(departure_from_paraboloid(on_floor, gap_between(on_floor), 2.1e-3, 1e-3)));
    // And on the face of a cube of exponents 4: a (1 - (1 - (s/a)^4)^(1/4)) more.
    const double a = 3e-3, s = 1e-3;
    Ellipsoid above = ball;
    above.centre.z = a + R;
    const Pair on_cube{
        .first =
            solid(Superellipsoid(Ellipsoid{.semi_axes = {a, a, a}, .centre = {}, .orientation = {}},
                                 {.plane = 4.0, .axis = 4.0}),
                  2500.0),
        .second = solid(above, 2500.0)};
    const double more = a * (1.0 - std::pow(1.0 - std::pow(s / a, 4), 0.25)) * 2.0 * R / (s * s);
    // All four ends are along the axes of the cube, or between them: tangents() of z are x and y.
    CHECK_RELATIVE(departure_from_paraboloid(on_cube, gap_between(on_cube), s, s) + 1.0,
                   sagged(s) + more, 1e-9);
}

}  // namespace
}  // namespace beadwave::validation::superellipsoid_impact_test
