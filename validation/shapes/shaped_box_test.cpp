// Thirty ellipsoids fall into a box of plane walls: the energy ledger, interruptions, and the
// neighbour list.
#include "largest.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace beadwave::validation::shaped_box_test {
namespace {

using packing::Packing;
using packing::Plane;
using packing::Vec3;

Packing falling_ellipsoids(const std::string& law, double coefficient) {
    RandomNumbers random(17);
    Packing p = shaped_packing(1e7, law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = coefficient};
    p.gravity = {0.0, 0.0, -9.81};
    constexpr double width = 12.6e-3;
    for (const Plane& plane : {Plane{{}, {0, 0, 1}}, Plane{{}, {1, 0, 0}}, Plane{{}, {0, 1, 0}},
                               Plane{{width, 0, 0}, {-1, 0, 0}}, Plane{{0, width, 0}, {0, -1, 0}}})
        p.walls.push_back({.shape = plane});
    for (int i = 0; i < 30; ++i) {
        const int column = i % 3, row = i / 3 % 3, layer = i / 9;
        const shapes::Vector axes{2e-3, random.between(1.2e-3, 2e-3),
                                  random.between(0.8e-3, 1.2e-3)};
        shapes::Body body = shapes::solid(
            {.semi_axes = axes,
             .centre = Vec3{2.1 + 4.2 * column, 2.1 + 4.2 * row, 2.1 + 4.2 * layer} * 1e-3,
             .orientation = random.rotation()},
            2500.0);
        body.velocity = 0.2 * random.direction() + Vec3{0.0, 0.0, -0.4};
        set_spin(body, 50.0 * random.direction());
        add_body(p, body);
    }
    return p;
}

/// The largest error of the balance, over the largest kinetic energy.
double imbalance(const Packing& p, double dt, double time) {
    const auto engine = packing::make_packing_engine(p, dt, 1);
    const double start = energy_of(engine->totals());
    Largest error, kinetic;
    std::size_t met = 0;
    const int samples = 20;
    for (int s = 0; s < samples; ++s) {
        engine->advance(static_cast<std::int64_t>(time / dt / samples));
        met += engine->closed_contacts();
        const packing::PackingTotals t = engine->totals();
        error.enter(std::abs(energy_of(t) - start));
        kinetic.enter(t.translational + t.rotational);
    }
    CHECK(met > 50);
    CHECK(engine->uncertain_normals() == 0);
    return error / kinetic;
}

TEST_CASE("the energy ledger of ellipsoids in a box closes, to the square of the step" *
          doctest::skip(sanitised)) {
    for (const std::string law : {"hertz", "tsuji"}) {
        const Packing p = falling_ellipsoids(law, 0.4);
        const double coarse = imbalance(p, 4e-6, 0.02), fine = imbalance(p, 1e-6, 0.02);
        MESSAGE(law, ": ", coarse, ", ", fine);
        CHECK(fine < 1e-5);
        CHECK(fine < coarse / 6.0);
    }
}

TEST_CASE("ellipsoids run to the same bits after an interruption") {
    const Packing p = falling_ellipsoids("tsuji", 0.4);
    const auto whole = packing::make_packing_engine(p, 4e-6, 1);
    whole->advance(4000);
    CHECK(whole->closed_contacts() > 10);
    CHECK(whole->neighbour_list_builds() > 0);
    const SavedPacking half = saved(*whole);
    whole->advance(1000);
    const auto rest = packing::make_packing_engine(p, 4e-6, 1);
    restore(*rest, 4000, half);
    CHECK(saved(*rest) == half);
    rest->advance(1000);
    CHECK(saved(*rest) == saved(*whole));
    CHECK(rest->step() == 5000);
    CHECK(energy_of(rest->totals()) == energy_of(whole->totals()));
}

TEST_CASE("ellipsoids run to the same bits on any number of threads") {
    const Packing p = falling_ellipsoids("tsuji", 0.4);
    const auto one = packing::make_packing_engine(p, 4e-6, 1);
    one->advance(3000);
    CHECK(one->listed_pairs() > 64);  // fewer are left to one thread
    CHECK(one->closed_contacts() > 5);
    for (const int threads : {2, 3}) {
        const auto some = packing::make_packing_engine(p, 4e-6, threads);
        CHECK(some->threads() == threads);
        some->advance(3000);
        CHECK(saved(*some) == saved(*one));
    }
}

TEST_CASE("a new neighbour list changes nothing of ellipsoids beyond rounding") {
    const Packing p = falling_ellipsoids("tsuji", 0.4);
    const auto seldom = packing::make_packing_engine(p, 4e-6, 1),
               often = packing::make_packing_engine(p, 4e-6, 1);
    for (int s = 0; s < 100; ++s) {
        seldom->advance(30);
        often->advance(30);
        often->rebuild_list();
    }
    CHECK(often->neighbour_list_builds() >= 100);
    CHECK(often->closed_contacts() > 3);
    CHECK(largest_difference(often->displacement(), seldom->displacement()) < 1e-11);
    CHECK(largest_difference(often->velocity(), seldom->velocity()) < 1e-9);
    CHECK(largest_difference(often->angular_velocity(), seldom->angular_velocity()) < 1e-9);
}

}  // namespace
}  // namespace beadwave::validation::shaped_box_test
