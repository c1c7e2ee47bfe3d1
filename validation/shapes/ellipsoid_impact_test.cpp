// Impacts of ellipsoids against tables of another program, closed forms and conservation laws.
#include "beadwave/argument_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "scenarios.hpp"
#include "shape_rows.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"
#include "shapes/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace beadwave::validation::ellipsoid_impact_test {
namespace {

using namespace shapes;

/// The elastic contact with the stiffness of the first touch.
laws::AnyLaw hertz_of(const Pair& pair, double youngs_modulus) {
    const laws::Elasticity material{.youngs_modulus = youngs_modulus, .poisson_ratio = 0.25};
    const laws::ContactEllipse hertz =
        pair.other() != nullptr
            ? ellipse(common_normal(pair.first.shape, pair.other()->shape))
            : ellipse(contact(pair.first.shape, std::get<HalfSpace>(pair.second)));
    return laws::Hertz<double>{
        .stiffness = laws::hertz_stiffness(laws::effective_modulus(material, material),
                                           hertz.equivalent_radius)};
}

double energy_of(const Pair& pair) {
    double energy = translational_energy(pair.first) + rotational_energy(pair.first);
    if (const Body* const other = pair.other())
        energy += translational_energy(*other) + rotational_energy(*other);
    return energy;
}

Vector momentum_of(const Pair& pair) {
    Vector momentum = pair.first.mass * pair.first.velocity;
    if (const Body* const other = pair.other()) momentum += other->mass * other->velocity;
    return momentum;
}

Vector angular_momentum_of(const Pair& pair) {
    const auto of = [](const Body& b) {
        return b.mass * cross(b.shape.centre, b.velocity) +
               to_space(b.shape.orientation, b.momentum);
    };
    return pair.other() != nullptr ? of(pair.first) + of(*pair.other()) : of(pair.first);
}

const HalfSpace floor_below{.normal = {0.0, 0.0, 1.0}, .offset = 0.0};

/// Just touching the floor, as a row has it.
Pair on_the_floor(const Row& row) {
    Ellipsoid shape = ellipsoid_of(row);
    shape.centre.z = number(row, "centre_height_m");
    Body body = solid(shape, 2500.0);
    CHECK_RELATIVE(body.mass, number(row, "mass_kg"), 1e-14);
    body.velocity = vector_of(row, "vx", "vy", "vz");
    set_spin(body, to_space(shape.orientation, vector_of(row, "wbx", "wby", "wbz")));
    return {.first = body, .second = floor_below};
}

TEST_CASE(
    "ellipsoids rebound from a wall as the table says, with the stiffness of the first touch") {
    std::map<std::string, Row> starts;
    for (const Row& row : table("shapes/ellipsoid_wall_impact.csv"))
        starts[row.at("case")] = row;
    Largest speeds, spins, turns, times, energies;
    for (const Row& row : table("shapes/ellipsoid_wall_finite.csv")) {
        Pair pair = on_the_floor(starts.at(row.at("case")));
        const double before = energy_of(pair);
        const Gap gap = gap_between(pair);
        CHECK_RELATIVE(impact_mass(pair, gap),
                       number(starts.at(row.at("case")), "effective_mass_kg"), 1e-12);
        const Impact hit = collide(pair, hertz_of(pair, number(row, "youngs_modulus_Pa")));
        const double accuracy = number(row, "accuracy_m_per_s");
        speeds.enter(std::abs(pair.first.velocity.z - number(row, "vz_after")) /
                     (accuracy + 1e-10));
        const Vector w = vector_of(row, "wbx_after", "wby_after", "wbz_after");
        spins.enter(length(body_spin(pair.first) - w) / length(w));
        const Quaternion& q = pair.first.shape.orientation;
        const double sign =
            q.w * number(row, "qw_after") + q.x * number(row, "qx_after") < 0.0 ? -1.0 : 1.0;
        turns.enter(std::abs(sign * q.w - number(row, "qw_after")),
                    std::abs(sign * q.z - number(row, "qz_after")));
        times.enter(std::abs(hit.duration / number(row, "contact_time_s") - 1.0));
        energies.enter(std::abs(energy_of(pair) / before - 1.0),
                       std::abs(hit.contact_work) / before);
        CHECK_RELATIVE(pair.first.velocity.x, number(starts.at(row.at("case")), "vx"), 1e-15);
    }
    MESSAGE("speeds ", double(speeds), " of the table's accuracy, spins ", double(spins),
            ", turns ", double(turns), ", times ", double(times), ", energies ", double(energies));
    // The table is good to 1e-8 m/s at worst, at speeds of 1 m/s.
    CHECK(speeds < 3.0);
    CHECK(spins < 1e-8);
    CHECK(turns < 1e-9);
    CHECK(times < 1e-8);
    CHECK(energies < 1e-10);
}

TEST_CASE("the stiffer an ellipsoid, the closer its impact to that of a rigid one") {
    for (const Row& row : table("shapes/ellipsoid_wall_impact.csv")) {
        if (number(row, "restitution") != 1.0) continue;
        double before = std::numeric_limits<double>::infinity();
        for (const double modulus : {7e7, 7e9, 7e11, 7e13}) {
            Pair pair = on_the_floor(row);
            collide(pair, hertz_of(pair, modulus));
            const double difference = std::abs(pair.first.velocity.z - number(row, "vz_after"));
            CHECK(difference < 0.5 * before);
            before = difference;
        }
        CHECK(before < 1e-3);
    }
}

TEST_CASE("two ellipsoids in flight keep momentum, angular momentum and energy through an impact") {
    RandomNumbers random(31);
    Largest momenta, turns, energies, works;
    int met = 0;
    for (int i = 0; i < (sanitised ? 4 : 20); ++i) {
        Body a = solid(random.ellipsoid(3.0), 2500.0), b = solid(random.ellipsoid(3.0), 7800.0);
        a.shape.centre = 0.02 * random.direction();
        b.shape.centre = a.shape.centre + 0.012 * random.direction();
        const Vector between = b.shape.centre - a.shape.centre;
        a.velocity = random.direction();
        b.velocity = a.velocity - (1.5 / length(between)) * between;
        set_spin(a, 200.0 * random.direction());
        set_spin(b, 100.0 * random.direction());
        Pair pair{.first = a, .second = b};
        const Vector p = momentum_of(pair), L = angular_momentum_of(pair);
        const double energy = energy_of(pair);
        fly_to_touch(pair);
        ++met;
        const Gap gap = gap_between(pair);
        CHECK(std::abs(gap.overlap) < 1e-14);
        CHECK(gap.approach > 0.0);
        const Impact hit = collide(pair, hertz_of(pair, 70e9));
        const double v = length(a.velocity) + length(b.velocity);
        momenta.enter(length(momentum_of(pair) - p) / (b.mass * v));
        turns.enter(length(angular_momentum_of(pair) - L) / (b.mass * v * 0.02));
        energies.enter(std::abs(energy_of(pair) / energy - 1.0));
        works.enter(std::abs(energy_of(pair) + hit.contact_work - energy) / energy);
        CHECK(hit.separation_speed > 0.0);
    }
    MESSAGE(met, " met; momentum ", double(momenta), ", angular ", double(turns), ", energy ",
            double(energies), ", balance ", double(works));
    CHECK(momenta < 1e-12);
    CHECK(turns < 1e-11);
    CHECK(energies < 1e-10);
    CHECK(works < 1e-11);
}

TEST_CASE("a ball given as an ellipsoid rebounds as Hertz's closed forms say") {
    Ellipsoid shape{.semi_axes = {3e-3, 3e-3, 3e-3}, .centre = {0.1, -0.2, 3.5e-3}};
    shape.orientation = normalised({0.3, -0.5, 0.7, 0.1});
    Body ball = solid(shape, 2500.0);
    ball.velocity = {0.4, 0.0, -1.5};
    set_spin(ball, {30.0, 20.0, -10.0});
    Pair pair{.first = ball, .second = floor_below};
    const double flight = fly_to_touch(pair);
    CHECK_RELATIVE(flight, 0.5e-3 / 1.5, 1e-10);
    const laws::AnyLaw law = hertz_of(pair, 70e9);
    const double K = 4.0 / 3.0 * 70e9 / (2.0 * (1.0 - 0.0625)) * std::sqrt(3e-3);
    const Impact hit = collide(pair, law);
    const double overlap = laws::hertz_largest_overlap(K, ball.mass, 1.5);
    // Some hundred steps with errors of 1e-12.
    CHECK_RELATIVE(hit.max_overlap, overlap, 1e-10);
    CHECK_RELATIVE(hit.max_force, K * std::pow(overlap, 1.5), 1e-10);
    CHECK_RELATIVE(hit.duration, laws::hertz_duration(K, ball.mass, 1.5), 1e-9);
    CHECK_RELATIVE(hit.impulse, 2.0 * ball.mass * 1.5, 1e-10);
    CHECK_RELATIVE(pair.first.velocity.z, 1.5, 1e-10);
    CHECK_RELATIVE(pair.first.velocity.x, 0.4, 1e-15);
    CHECK(length(spin(pair.first) - Vector{30.0, 20.0, -10.0}) < 1e-10);
}

TEST_CASE("ellipsoids lose what their contact law takes, balls as much as in a plain collision") {
    // The catalogue's dashpot laws with e = 0.7, through the effective mass of the impact.
    for (const char* name : {"flores", "lankarani-nikravesh", "tsuji"}) {
        const auto law_of = [&](const Pair& pair, const Gap& gap) {
            const laws::Elasticity glass{.youngs_modulus = 70e9, .poisson_ratio = 0.25};
            laws::Contact c = laws::elliptic_contact(
                ellipse(contact(pair.first.shape, floor_below)), pair.first.mass, glass,
                std::numeric_limits<double>::infinity(), glass);
            c.mass = impact_mass(pair, gap);
            std::map<std::string, laws::Value> given{{"restitution", 0.7}};
            if (std::string(name) != "tsuji") given["impact_speed"] = gap.approach;
            return std::pair{laws::make(c, law_settings(name, given)), c.mass};
        };
        for (const Vector& axes : {Vector{3e-3, 3e-3, 3e-3}, Vector{4e-3, 2.5e-3, 2e-3}}) {
            Body body = solid({.semi_axes = axes,
                               .centre = {0.0, 0.0, 5e-3},
                               .orientation = normalised({0.3, -0.5, 0.7, 0.1})},
                              2500.0);
            body.velocity = {0.4, 0.0, -1.5};
            Pair pair{.first = body, .second = floor_below};
            fly_to_touch(pair);
            const Gap gap = gap_between(pair);
            const auto [law, mass] = law_of(pair, gap);
            const double before = energy_of(pair);
            const Impact hit = collide(pair, law);
            CHECK(hit.contact_work > 0.1 * before);
            CHECK_ABSOLUTE(energy_of(pair) + hit.contact_work, before, 1e-11 * before);
            if (axes.x != axes.y) continue;
            const laws::Collision plain = laws::collide(law, mass, gap.approach);
            CHECK_RELATIVE(hit.separation_speed, plain.rebound_speed, 1e-9);
            CHECK_RELATIVE(hit.max_force, plain.max_force, 1e-9);
            CHECK_RELATIVE(hit.duration, plain.duration, 1e-8);
        }
    }
}

TEST_CASE("a law with adhesion is refused") {
    const Ellipsoid shape{.semi_axes = {2e-3, 1e-3, 1e-3}, .centre = {0.0, 0.0, 1e-3}};
    Pair pair{.first = solid(shape, 2500.0), .second = floor_below};
    pair.first.velocity = {0.0, 0.0, -1.0};
    const laws::Elasticity rubber{.youngs_modulus = 1e6, .poisson_ratio = 0.5};
    const laws::AnyLaw law = laws::make(
        laws::sphere_contact(1e-3, 1e-5, rubber, 1e-3, 1e-5, rubber), law_settings("dmt"));
    CHECK_THROWS_WITH_AS(collide(pair, law),
                         "the law has adhesion, and the neck between surfaces with two radii of "
                         "curvature is not known; expected a law without adhesion",
                         ArgumentError);
}

TEST_CASE("bodies that overlap or never meet are refused") {
    const Ellipsoid shape{.semi_axes = {2e-3, 1e-3, 1e-3}, .centre = {0.0, 0.0, 0.9e-3}};
    Pair pair{.first = solid(shape, 2500.0), .second = floor_below};
    CHECK_THROWS_WITH_AS(fly_to_touch(pair),
                         "the two bodies overlap by 0.0001 m at the start; expected bodies that "
                         "are apart, or that just touch",
                         ArgumentError);
    pair.first.shape.centre.z = 0.01;
    pair.first.velocity = {1.0, 0.0, 0.1};
    CHECK_THROWS_WITH_AS(fly_to_touch(pair),
                         "the two bodies never meet; expected positions and velocities that bring "
                         "them together",
                         ArgumentError);
}

}  // namespace
}  // namespace beadwave::validation::ellipsoid_impact_test
