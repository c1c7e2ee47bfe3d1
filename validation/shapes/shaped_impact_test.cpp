// Impacts in packings of ellipsoids against a table of another program, and against the adaptive
// integration of one impact.
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"
#include "shapes/impact.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>

namespace beadwave::validation::shaped_impact_test {
namespace {

using namespace shapes;
using packing::make_packing_engine;

struct Errors {
    double speed, turn, energy;
};

/// Speed after the impact, and the angular momentum in space, which stays in the free flight that
/// follows.
Errors wall_errors(const Row& start, const Row& end, int steps) {
    Ellipsoid shape = ellipsoid_of(start);
    shape.centre.z = number(start, "centre_height_m");
    Body body = solid(shape, 2500.0);
    body.velocity = vector_of(start, "vx", "vy", "vz");
    set_spin(body, to_space(shape.orientation, vector_of(start, "wbx", "wby", "wbz")));
    packing::Packing p = shaped_packing(number(end, "youngs_modulus_Pa"));
    p.walls.push_back({});
    add_body(p, body);
    const auto engine = make_packing_engine(p, number(end, "contact_time_s") / steps, 1);
    const packing::PackingTotals before = engine->totals();
    advance_until_apart(*engine, 2 * steps);
    Body after = body;
    after.shape.orientation =
        normalised(Quaternion{number(end, "qw_after"), number(end, "qx_after"),
                              number(end, "qy_after"), number(end, "qz_after")});
    set_spin(after, to_space(after.shape.orientation,
                             vector_of(end, "wbx_after", "wby_after", "wbz_after")));
    const Body now = body_now(body, *engine, 0);
    const Vector L = to_space(after.shape.orientation, after.momentum);
    const packing::PackingTotals totals = engine->totals();
    return {
        .speed = std::abs(now.velocity.z - number(end, "vz_after")) / std::abs(number(start, "vz")),
        .turn = length(to_space(now.shape.orientation, now.momentum) - L) / length(L),
        .energy = std::abs((totals.translational + totals.rotational) /
                               (before.translational + before.rotational) -
                           1.0)};
}

TEST_CASE("an ellipsoid rebounds from a plane wall as the table says, to the square of the step") {
    std::map<std::string, Row> starts;
    for (const Row& row : table("shapes/ellipsoid_wall_impact.csv"))
        starts[row.at("case")] = row;
    for (const Row& row : table("shapes/ellipsoid_wall_finite.csv")) {
        const Row& start = starts.at(row.at("case"));
        const Errors coarse = wall_errors(start, row, 500), fine = wall_errors(start, row, 2000);
        MESSAGE(row.at("case"), " ", row.at("youngs_modulus_Pa"), ": ", coarse.speed, " ",
                coarse.turn, " ", coarse.energy, "; ", fine.speed, " ", fine.turn, " ",
                fine.energy);
        CHECK(fine.speed < 1e-6);
        CHECK(fine.turn < 1e-6);
        CHECK(fine.energy < 1e-6);
        CHECK(std::max(fine.speed, fine.turn) < std::max(coarse.speed, coarse.turn) / 10.0);
    }
}

Vector angular_momentum(const Body& b) {
    return b.mass * cross(b.shape.centre, b.velocity) + to_space(b.shape.orientation, b.momentum);
}

TEST_CASE("two ellipsoids that meet eccentrically part as the integration of their impact says") {
    RandomNumbers random(31);
    const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
    Largest speeds, turns, momenta, angular, energies;
    for (int i = 0; i < 4; ++i) {
        Body a = solid(random.ellipsoid(3.0), 2500.0), b = solid(random.ellipsoid(3.0), 7800.0);
        const Vector way = random.direction();
        a.velocity = random.direction();
        b.velocity = a.velocity - 1.5 * way;
        set_spin(a, 200.0 * random.direction());
        set_spin(b, 100.0 * random.direction());
        // As near as some steps before the impact.
        b.shape.centre = 0.02 * way + 0.2e-3 * random.direction();
        Pair pair{.first = a, .second = b};
        const double flight = fly_to_touch(pair);
        fly(pair.first, -1e-6);
        fly(*pair.other(), -1e-6);
        CHECK(flight > 1e-3);
        const Body start_a = pair.first, start_b = *pair.other();
        packing::Packing p = shaped_packing(70e9);
        add_body(p, start_a);
        add_body(p, start_b);
        fly_to_touch(pair);
        const laws::AnyLaw law = laws::Hertz<double>{
            .stiffness = laws::hertz_stiffness(
                laws::effective_modulus(glass, glass),
                ellipse(common_normal(pair.first.shape, pair.other()->shape)).equivalent_radius)};
        const Impact hit = collide(pair, law);
        const auto engine = make_packing_engine(p, hit.duration / 2000, 1);
        const packing::PackingTotals before = engine->totals();
        advance_until_apart(*engine, 6000);
        const packing::PackingTotals now = engine->totals();
        const Body ours_a = body_now(start_a, *engine, 0), ours_b = body_now(start_b, *engine, 1);
        speeds.enter(length(ours_a.velocity - pair.first.velocity),
                     length(ours_b.velocity - pair.other()->velocity));
        const auto turn = [](const Body& ours, const Body& exact) {
            const Vector L = to_space(exact.shape.orientation, exact.momentum);
            return length(to_space(ours.shape.orientation, ours.momentum) - L) / length(L);
        };
        turns.enter(turn(ours_a, pair.first), turn(ours_b, *pair.other()));
        const double scale = b.mass * 2.0;
        momenta.enter(length(now.momentum - before.momentum) / scale);
        angular.enter(length(now.angular_momentum - before.angular_momentum) / (scale * 0.02));
        angular.enter(
            length(now.angular_momentum - angular_momentum(ours_a) - angular_momentum(ours_b)) /
            (scale * 0.02));
        energies.enter(std::abs((now.translational + now.rotational) /
                                    (before.translational + before.rotational) -
                                1.0));
    }
    MESSAGE("speeds ", double(speeds), " m/s, turns ", double(turns), ", momentum ",
            double(momenta), ", angular ", double(angular), ", energy ", double(energies));
    // Two thousand steps in the impact: their squares are 2.5e-7.
    CHECK(speeds < 1e-6);
    CHECK(turns < 1e-6);
    CHECK(momenta < 1e-12);
    CHECK(angular < 1e-12);
    CHECK(energies < 1e-6);
}

}  // namespace
}  // namespace beadwave::validation::shaped_impact_test
