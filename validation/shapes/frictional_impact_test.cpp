// Impacts with friction: against plain integrations, and what they keep.
#include "shapes/frictional_impact.hpp"

#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/hertz.hpp"
#include "largest.hpp"
#include "plain_impact.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "shape_rows.hpp"
#include "shapes/elliptic_stiffness.hpp"
#include "shapes/first_touch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace beadwave::validation::frictional_impact_test {
namespace {

using namespace shapes;

constexpr laws::Elasticity glass{.youngs_modulus = 1e9, .poisson_ratio = 0.25};
const HalfSpace floor_below{.normal = {0.0, 0.0, 1.0}, .offset = 0.0};

laws::ContactEllipse ellipse_of(const Pair& pair) {
    return pair.other() != nullptr ? ellipse(common_normal(pair.first.shape, pair.other()->shape))
                                   : ellipse(contact(pair.first.shape, floor_below));
}
double stiffness_of(const Pair& pair) {
    return laws::hertz_stiffness(laws::effective_modulus(glass, glass),
                                 ellipse_of(pair).equivalent_radius);
}
laws::AnyLaw hertz_of(const Pair& pair) {
    return laws::Hertz<double>{.stiffness = stiffness_of(pair)};
}
laws::AnySlider slider_of(const Pair& pair, const laws::Friction& friction) {
    return laws::make_slider(friction, slip_radius(ellipse_of(pair)),
                             laws::effective_shear_modulus(glass, glass));
}
laws::Friction spring(double coefficient) {
    return {.law = laws::FrictionLaw::linear, .coefficient = coefficient, .stiffness = 3e5};
}

double energy_of(const Pair& pair) {
    double energy = translational_energy(pair.first) + rotational_energy(pair.first);
    if (const Body* const other = pair.other())
        energy += translational_energy(*other) + rotational_energy(*other);
    return energy;
}
Vector momentum_of(const Pair& pair) {
    return pair.first.mass * pair.first.velocity + pair.other()->mass * pair.other()->velocity;
}
Vector angular_momentum_of(const Pair& pair) {
    const auto of = [](const Body& b) {
        return b.mass * cross(b.shape.centre, b.velocity) +
               to_space(b.shape.orientation, b.momentum);
    };
    return of(pair.first) + of(*pair.other());
}

Pair grain_on_the_floor() {
    const Ellipsoid shape{.semi_axes = {4e-3, 2.5e-3, 2e-3},
                          .centre = {},
                          .orientation = normalised({0.3, -0.5, 0.7, 0.1})};
    Body body = solid(shape, 2500.0);
    body.shape.centre.z = reach(shape, {0.0, 0.0, -1.0});
    body.velocity = {0.8, -0.3, -1.2};
    set_spin(body, {150.0, -80.0, 200.0});
    return {.first = body, .second = floor_below};
}

TEST_CASE("an oblique impact of an ellipsoid with friction is that of a plain integration" *
          doctest::skip(sanitised)) {
    for (const double mu : {0.1, 0.5, 1e3}) {
        Pair pair = grain_on_the_floor();
        const Body before = pair.first;
        const double energy = energy_of(pair);
        const double stiffness = stiffness_of(pair);
        const laws::AnyLaw law = hertz_of(pair);
        const PlainWallImpact plain{
            .body = before, .stiffness = stiffness, .spring_stiffness = 3e5, .mu = mu};
        const FrictionalImpact hit = collide(pair, law, slider_of(pair, spring(mu)));

        PlainWallImpact::State coarse = plain.start(), fine = plain.start();
        plain.run(coarse, 1e-9);
        plain.run(fine, 5e-10);
        // Coulomb's limit cuts at the ends of its steps: of first order while it slides.
        const double order = mu > 1.0 ? 1.0 / 3.0 : 1.0;
        const Vector velocity = fine.velocity + order * (fine.velocity - coarse.velocity);
        const Vector momentum = fine.momentum + order * (fine.momentum - coarse.momentum);
        const Vector found = to_space(pair.first.shape.orientation, pair.first.momentum);
        const double error = std::max(length(pair.first.velocity - velocity) / length(velocity),
                                      length(found - momentum) / length(momentum));
        const double balance = (energy_of(pair) + hit.normal.contact_work) / energy - 1.0;
        MESSAGE("mu ", mu, ": ", hit.normal.steps, " steps, difference ", error, ", balance ",
                balance, ", step difference ", hit.step_difference);
        CHECK(error < 1e-6);
        CHECK(std::abs(balance) < 1e-7);
        CHECK(energy_of(pair) <= energy * (1.0 + 1e-8));
        CHECK(hit.step_difference < 5e-7);
        // The impulses change the momentum.
        const Vector change = before.mass * (pair.first.velocity - before.velocity);
        CHECK_ABSOLUTE(change.z, hit.normal.impulse, 1e-9 * change.z);
        CHECK_ABSOLUTE(change.x, -hit.tangential_impulse.x, 1e-9 * change.z);
    }
}

/// A ball on the floor with Mindlin's law by increments, in the plane of its motion: its speeds
/// after the impact, (vx, vz, R w).
std::array<double, 3> ball_with_mindlin(double radius, double mass, std::array<double, 3> v,
                                        double stiffness, double shear, double mu, int steps) {
    const double inertia = 0.4 * mass * radius * radius, root = std::sqrt(radius);
    double overlap = 0.0, pull = 0.0, before = 0.0;
    const double duration =
        2.9433 * std::pow(mass * mass / (stiffness * stiffness * -v[1]) * 25.0 / 16.0, 0.2);
    const double dt = duration / steps;
    const auto press = [&](double d) { return stiffness * std::pow(std::max(0.0, d), 1.5); };
    for (int step = 0; step < 2 * steps; ++step) {
        // Half a kick by the last forces, the slip, the new forces, half a kick.
        const auto kick = [&] {
            v[0] -= 0.5 * dt / mass * pull;
            v[1] += 0.5 * dt / mass * press(overlap);
            v[2] -= 0.5 * dt / inertia * radius * (radius - overlap) * pull;
        };
        kick();
        const double next = overlap - dt * v[1];
        const double slip = dt * (v[0] + v[2] / radius * (radius - 0.5 * (overlap + next)));
        overlap = next;
        const double k = 8.0 * shear * root * std::sqrt(std::max(0.0, overlap));
        if (k < before) pull *= k / before;
        pull += 0.5 * (k + before) * slip;
        pull = std::clamp(pull, -mu * press(overlap), mu * press(overlap));
        before = k;
        kick();
        if (overlap <= 0.0) break;
    }
    return v;
}

TEST_CASE("a ball that spins rebounds under Mindlin's law as a plain integration says") {
    constexpr double radius = 3e-3;
    const double shear = laws::effective_shear_modulus(glass, glass);
    for (const double mu : {0.05, 0.3, 2.0}) {
        Body ball = solid(Ellipsoid{.semi_axes = {radius, radius, radius},
                                    .centre = {0.0, 0.0, radius},
                                    .orientation = normalised({0.3, -0.5, 0.7, 0.1})},
                          2500.0);
        ball.velocity = {0.6, 0.0, -1.0};
        set_spin(ball, {0.0, 150.0, 0.0});
        Pair pair{.first = ball, .second = floor_below};
        const double stiffness = stiffness_of(pair);
        const laws::AnyLaw law = hertz_of(pair);
        const laws::AnySlider slider =
            slider_of(pair, {.law = laws::FrictionLaw::mindlin, .coefficient = mu});
        const FrictionalImpact hit = collide(pair, law, slider);
        // The material at the contact moves at vx - w R: w about -y counts.
        const auto after = ball_with_mindlin(radius, ball.mass, {0.6, -1.0, -150.0 * radius},
                                             stiffness, shear, mu, 200'000);
        MESSAGE("mu ", mu, ": ", pair.first.velocity.x - after[0], " m/s");
        CHECK_ABSOLUTE(pair.first.velocity.x, after[0], 1e-6);
        CHECK_ABSOLUTE(pair.first.velocity.z, after[1], 1e-6);
        CHECK_ABSOLUTE(-spin(pair.first).y * radius, after[2], 1e-6);
        CHECK_ABSOLUTE(hit.slip_speed, std::abs(0.6 - 150.0 * radius), 1e-12);
    }
}

TEST_CASE("two ellipsoids that rub keep momentum and angular momentum, and gain no energy") {
    RandomNumbers random(57);
    Largest momenta, turns, balances, gains;
    const std::vector<laws::Friction> all{
        spring(0.4),
        {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4},
        {.law = laws::FrictionLaw::mindlin, .coefficient = 0.2, .static_coefficient = 0.5}};
    for (int i = 0; i < (sanitised ? 1 : 3); ++i) {
        Body a = solid(random.ellipsoid(3.0), 2500.0), b = solid(random.ellipsoid(3.0), 7800.0);
        a.shape.centre = 0.02 * random.direction();
        b.shape.centre = a.shape.centre + 0.012 * random.direction();
        const Vector between = b.shape.centre - a.shape.centre;
        a.velocity = random.direction();
        b.velocity = a.velocity - (1.5 / length(between)) * between;
        set_spin(a, 200.0 * random.direction());
        set_spin(b, 100.0 * random.direction());
        Pair pair{.first = a, .second = b};
        fly_to_touch(pair);
        const Vector p = momentum_of(pair), L = angular_momentum_of(pair);
        const double energy = energy_of(pair);
        const FrictionalImpact hit =
            collide(pair, hertz_of(pair), slider_of(pair, all[static_cast<std::size_t>(i) % 3]));
        const double v = length(a.velocity) + length(b.velocity);
        momenta.enter(length(momentum_of(pair) - p) / (b.mass * v));
        turns.enter(length(angular_momentum_of(pair) - L) / (b.mass * v * 0.02));
        balances.enter(std::abs(energy_of(pair) + hit.normal.contact_work - energy) / energy);
        gains.enter(std::max(0.0, energy_of(pair) / energy - 1.0));
        CHECK(hit.friction_work > 0.0);
    }
    MESSAGE("momentum ", double(momenta), ", angular ", double(turns), ", balance ",
            double(balances), ", gain ", double(gains));
    CHECK(momenta < 1e-12);
    CHECK(turns < 1e-12);
    CHECK(balances < 1e-7);
    CHECK(gains == 0.0);
}

}  // namespace
}  // namespace beadwave::validation::frictional_impact_test
