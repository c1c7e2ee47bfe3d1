// Ellipsoids with equal axes are spheres: their engine runs as the plain engine of spheres.
#include "largest.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace beadwave::validation::shaped_balls_test {
namespace {

using laws::FrictionLaw;
using packing::Packing;
using packing::Vec3;

constexpr double radius = 2e-3;

/// Eight spheres that fly about between a floor that moves and turns and a lid with a mass, in a
/// box that repeats along x and y.
Packing flying_spheres(const std::string& law, FrictionLaw friction) {
    RandomNumbers random(4);
    Packing p = shaped_packing(1e9, law);
    p.friction = {.law = friction,
                  .coefficient = 0.3,
                  .stiffness = 2e4,
                  .damping = friction == laws::FrictionLaw::linear ? 0.05 : 0.0};
    p.gravity = {0.0, 0.5, -9.81};
    p.walls.push_back({.velocity = {0.3, 0.0, 0.1}, .angular_velocity = 40.0});
    p.walls.push_back({.shape = packing::Plane{{0.0, 0.0, 8.6e-3}, {0.0, 0.0, -1.0}},
                       .load = packing::Load{.mass = 2e-4, .force = 0.05}});
    p.box = {.lower = {}, .upper = {8.1e-3, 8.1e-3, 0.0}, .periodic = {true, true, false}};
    for (const double x : {0.0, 1.0}) {
        for (const double y : {0.0, 1.0}) {
            for (const double z : {0.0, 1.0}) {
                const double r = radius * random.between(0.9, 1.0);
                p.add(r, 2500.0 * 4.18879 * r * r * r,
                      Vec3{2.0 + 4.05 * x, 2.0 + 4.05 * y, 2.1 + 4.1 * z} * 1e-3);
                p.velocity.back() = random.direction() + Vec3{0.0, 0.0, -0.5};
                p.angular_velocity.back() = 300.0 * random.direction();
            }
        }
    }
    return p;
}

Packing as_ellipsoids(Packing p, double flatter) {
    RandomNumbers random(5);
    for (const double r : p.radius) {
        p.semi_axes.push_back({r, r * (1.0 - flatter), r});
        p.orientation.push_back(random.rotation());
    }
    return p;
}

struct Difference {
    double displacement, lid, velocity, spin, energy;
};

Difference difference_to_plain(const Packing& spheres, double flatter, int steps) {
    const double dt = 2e-7;
    const auto plain = packing::make_plain_packing_engine(spheres, dt);
    const auto shaped = packing::make_packing_engine(as_ellipsoids(spheres, flatter), dt, 1);
    std::size_t met = 0;
    for (int part = 0; part < 100; ++part) {
        plain->advance(steps / 100);
        shaped->advance(steps / 100);
        CHECK(shaped->closed_contacts() == plain->closed_contacts());
        met += plain->closed_contacts();
    }
    CHECK(met > 10);
    const packing::PackingTotals a = shaped->totals(), b = plain->totals();
    CHECK(plain->neighbour_list_builds() > 0);
    Largest energies;
    const double scale = b.translational + b.rotational;
    for (const auto part :
         {&packing::PackingTotals::translational, &packing::PackingTotals::rotational,
          &packing::PackingTotals::stored_normal, &packing::PackingTotals::stored_tangential,
          &packing::PackingTotals::dissipated_normal,
          &packing::PackingTotals::dissipated_tangential, &packing::PackingTotals::external_work})
        energies.enter(std::abs(a.*part - b.*part) / scale);
    return {.displacement = largest_difference(shaped->displacement(), plain->displacement()),
            .lid = size_of(shaped->walls()[1].displacement - plain->walls()[1].displacement) /
                   size_of(plain->walls()[1].displacement),
            .velocity = largest_difference(shaped->velocity(), plain->velocity()),
            .spin = largest_difference(shaped->angular_velocity(), plain->angular_velocity()),
            .energy = energies};
}

TEST_CASE("ellipsoids with equal axes run as spheres in the plain engine" *
          doctest::skip(sanitised)) {
    for (const std::string law : {"hertz", "tsuji"}) {
        for (const FrictionLaw friction :
             {FrictionLaw::none, FrictionLaw::linear, FrictionLaw::mindlin,
              FrictionLaw::mindlin_displacement}) {
            const Difference d = difference_to_plain(flying_spheres(law, friction), 0.0, 15'000);
            MESSAGE(law, " ", int(friction), ": ", d.displacement, " ", d.velocity, " ", d.spin,
                    " ", d.energy);
            // Rounding, which collisions enlarge.
            CHECK(d.displacement < 1e-10);
            CHECK(d.lid < 1e-10);
            CHECK(d.velocity < 1e-10);
            CHECK(d.spin < 1e-10);
            CHECK(d.energy < 1e-10);
        }
    }
}

TEST_CASE("ellipsoids with equal axes have the tangential dashpots of spheres") {
    for (const FrictionLaw law : {FrictionLaw::mindlin, FrictionLaw::mindlin_displacement}) {
        for (const bool two : {false, true}) {
            Packing p = flying_spheres("tsuji", law);
            if (two) {
                p.friction.static_coefficient = 0.5;
                p.friction.damping_ratio = 0.3;
            } else {
                p.friction.damping_factor = 1.0;
            }
            const Difference d = difference_to_plain(p, 0.0, 5'000);
            MESSAGE("dashpots ", two, " ", d.displacement, " ", d.velocity, " ", d.spin, " ",
                    d.energy);
            CHECK(d.displacement < 1e-10);
            CHECK(d.velocity < 1e-10);
            CHECK(d.spin < 1e-10);
            CHECK(d.energy < 1e-10);
        }
    }
}

TEST_CASE("ellipsoids that are nearly spheres run nearly as spheres") {
    for (const FrictionLaw friction : {FrictionLaw::none, FrictionLaw::linear}) {
        const Difference d = difference_to_plain(flying_spheres("tsuji", friction), 1e-9, 15'000);
        MESSAGE(int(friction), ": ", d.displacement, " ", d.velocity, " ", d.spin, " ", d.energy);
        // The arms of friction are those in the middle of the step, not those of the plain engine
        // at walls: of second order. Collisions enlarge both.
        CHECK(d.displacement < 1e-4);
        CHECK(d.velocity < 1e-3);
        CHECK(d.spin < 1e-3);
    }
}

}  // namespace
}  // namespace beadwave::validation::shaped_balls_test
