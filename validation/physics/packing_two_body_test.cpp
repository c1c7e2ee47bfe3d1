// Two bodies: the particle-impact tests of Chung and Ooi (2011), compared with closed forms or with
// an integration written here, independent of the program.

#include "packings.hpp"
#include "relative.hpp"

#include <array>
#include <numbers>

namespace beadwave::validation::packing_two_body_test {

using packing::Vec3;

namespace {

constexpr double g = 9.81;

packing::Packing two_spheres(double radius_1, double radius_2, double speed,
                             const std::string& law = "hertz") {
    packing::Packing p = steel_packing(law);
    p.add(radius_1, steel_mass(radius_1), {0.0, 0.0, 0.0});
    p.add(radius_2, steel_mass(radius_2), {radius_1 + radius_2 + 1e-9, 0.0, 0.0});
    p.velocity[0].x = 0.5 * speed;
    p.velocity[1].x = -0.5 * speed;
    return p;
}

void run_until_apart(packing::PackingEngine& engine) {
    bool touched = false;
    for (int k = 0; k < 100000; ++k) {
        engine.advance(20);
        const bool touches = !engine.contacts().empty();
        if (touched && !touches) return;
        touched = touched || touches;
    }
    FAIL("they never separate");
}

/// Oblique impact of a sphere on a rigid wall in the plane: Hertz and Mindlin by increments with
/// Coulomb's limit. Midpoint rule with a much shorter step than the program's.
struct ObliqueImpact {
    double radius, mass, stiffness, shear_stiffness, mu;

    struct Rebound {
        double tangential, normal, angular_velocity;
    };
    Rebound run(double tangential, double normal, double angular_velocity, double dt) const {
        const double inertia = 0.4 * mass * radius * radius;
        double arm = radius;  // shorter by the overlap
        double u = 0.0, v = normal, w = tangential, o = angular_velocity, f = 0.0, k_before = 0.0;
        double normal_force = 0.0;
        const auto kick = [&](double time) {
            v -= normal_force / mass * time;
            w -= f / mass * time;
            o -= f * arm / inertia * time;  // the contact point moves with w + o arm
        };
        do {
            kick(0.5 * dt);
            u += v * dt;
            const double middle = radius - std::max(u - 0.5 * v * dt, 0.0);
            const double slip = (w + o * middle) * dt;
            const double overlap = std::max(u, 0.0);
            arm = radius - overlap;
            normal_force = stiffness * overlap * std::sqrt(overlap);
            const double k = shear_stiffness * std::sqrt(overlap);
            if (k < k_before) f *= k / k_before;
            f += 0.5 * (k + k_before) * slip;
            const double limit = mu * normal_force;
            f = std::max(-limit, std::min(limit, f));
            k_before = k;
            kick(0.5 * dt);
        } while (u > 0.0);
        return {w, v, o};
    }
};

}  // namespace

TEST_CASE("two equal spheres exchange their velocities, or separate with the law's restitution") {
    const auto hertz = packing::make_plain_packing_engine(two_spheres(0.01, 0.01, 0.2), 2e-8);
    run_until_apart(*hertz);
    CHECK_RELATIVE(hertz->velocity()[0].x, -0.1, 1e-9);
    CHECK(hertz->velocity()[0].y == 0.0);

    // Tsuji's dashpot has the same restitution at every speed.
    packing::Packing damped = two_spheres(0.01, 0.01, 0.2, "tsuji");
    damped.law = law_settings("tsuji", {{"restitution", 0.8}});
    const auto engine = packing::make_plain_packing_engine(damped, 2e-8);
    run_until_apart(*engine);
    CHECK_RELATIVE(engine->velocity()[0].x, -0.08, 1e-3);
}

TEST_CASE("unequal spheres rebound as conservation of momentum and energy requires") {
    packing::Packing p = two_spheres(0.01, 0.02, 0.2);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const auto engine = packing::make_plain_packing_engine(p, 2e-8);
    run_until_apart(*engine);
    // masses 1 and 8
    CHECK_RELATIVE(engine->velocity()[0].x, 0.1 - 0.2 * 2.0 * 8.0 / 9.0 + 0.0, 1e-9);
    CHECK_RELATIVE(engine->velocity()[1].x, -0.1 + 0.2 * 2.0 / 9.0, 1e-9);
    CHECK(engine->angular_velocity()[0] == Vec3{});
}

TEST_CASE("gross sliding changes velocity and angular velocity by the closed form") {
    // The velocity changes by mu (1 + e) v_n, the angular velocity by (5/2) mu (1 + e) v_n / R, if
    // the contact point slides throughout. The overlap shortens the arm; at this low speed it is
    // 3e-5 of the radius.
    constexpr double mu = 0.1, normal = 0.005, radius = 0.01;
    for (const double angle : {70.0, 80.0}) {
        packing::Packing p = steel_packing();
        p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
        p.add(radius, steel_mass(radius), {0.0, 0.0, radius});
        p.walls.push_back({});
        const double tangential = normal * std::tan(angle * std::numbers::pi / 180.0);
        p.velocity[0] = {tangential, 0.0, -normal};
        const auto engine = packing::make_plain_packing_engine(p, 5e-8);
        run_until_apart(*engine);
        const Vec3 v = engine->velocity()[0], w = engine->angular_velocity()[0];
        CHECK_RELATIVE(v.z, normal, 1e-8);
        CHECK_RELATIVE(tangential - v.x, mu * 2.0 * normal, 1e-5);
        CHECK_RELATIVE(w.y, 2.5 * mu * 2.0 * normal / radius, 5e-5);
    }
}

TEST_CASE("oblique impact with and without rotation agrees with an independent integration") {
    constexpr double radius = 0.01, mu = 0.3, normal = 0.5;
    const double mass = steel_mass(radius);
    // Steel against steel of the wall.
    const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    const double shear = steel_modulus / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));
    const ObliqueImpact plain{.radius = radius,
                              .mass = mass,
                              .stiffness = 4.0 / 3.0 * modulus * std::sqrt(radius),
                              .shear_stiffness = 8.0 * shear * std::sqrt(radius),
                              .mu = mu};
    for (const double angular_velocity : {0.0, -60.0, 90.0}) {
        for (const double angle : {5.0, 20.0, 35.0, 50.0, 65.0}) {
            const double tangential = normal * std::tan(angle * std::numbers::pi / 180.0);
            packing::Packing p = steel_packing();
            p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
            p.add(radius, mass, {0.0, 0.0, radius});
            p.walls.push_back({});
            p.velocity[0] = {tangential, 0.0, -normal};
            p.angular_velocity[0] = {
                0.0, -angular_velocity,
                0.0};  // the contact point moves forwards for angular_velocity > 0
            const auto engine = packing::make_plain_packing_engine(p, 1e-8);
            run_until_apart(*engine);
            const auto expected = plain.run(tangential, normal, angular_velocity, 1e-9);
            INFO(angle, " degrees, ", angular_velocity, " rad/s");
            // Both integrations are of second order except where sliding starts. The larger step is
            // 1/5000 of the contact.
            CHECK_RELATIVE(engine->velocity()[0].z, -expected.normal, 1e-6);
            CHECK_ABSOLUTE(engine->velocity()[0].x, expected.tangential, 3e-5 * normal);
            CHECK_ABSOLUTE(-engine->angular_velocity()[0].y * radius,
                           expected.angular_velocity * radius, 3e-5 * normal);
        }
    }
}

TEST_CASE(
    "a sphere on an incline rolls at 5/7 g sin below the limit of friction and slides above it") {
    constexpr double radius = 0.01, mu = 0.2;
    for (const double slope : {0.3, 0.5, 0.65, 0.8, 1.2}) {  // tan; 7/2 mu = 0.7
        const double angle = std::atan(slope);
        packing::Packing p = steel_packing("hertz");
        const double mass = steel_mass(radius);
        // The dashpot damps the initial vibration of the spring.
        p.friction = {.law = laws::FrictionLaw::linear,
                      .coefficient = mu,
                      .stiffness = 5e6,
                      .damping = 0.5 * std::sqrt(5e6 * mass)};
        // Along the wall's normal the sphere is in equilibrium: K delta^(3/2) = m g cos. The
        // overlap is 1e-5 of the radius.
        const double stiffness = 4.0 / 3.0 * steel_modulus /
                                 (2.0 * (1.0 - steel_ratio * steel_ratio)) * std::sqrt(radius);
        const double overlap = std::pow(mass * g * std::cos(angle) / stiffness, 2.0 / 3.0);
        p.add(radius, mass, {0.0, 0.0, radius - overlap});
        p.walls.push_back({});
        p.gravity = {g * std::sin(angle), 0.0, -g * std::cos(angle)};
        p.skin = 0.1 * radius;
        const auto engine = packing::make_plain_packing_engine(p, 1e-6);
        engine->advance(50000);
        const double before = engine->velocity()[0].x,
                     angular_velocity_before = engine->angular_velocity()[0].y;
        engine->advance(100000);
        constexpr double time = 0.1;
        const double acceleration = (engine->velocity()[0].x - before) / time;
        const double turning =
            (engine->angular_velocity()[0].y - angular_velocity_before) / time * radius;
        INFO("slope ", slope);
        CHECK(engine->neighbour_list_builds() > 10);
        if (slope < 3.5 * mu) {
            CHECK_RELATIVE(acceleration, 5.0 / 7.0 * g * std::sin(angle), 1e-5);
            CHECK_RELATIVE(turning, acceleration, 1e-5);
        } else {
            CHECK_RELATIVE(acceleration, g * (std::sin(angle) - mu * std::cos(angle)), 1e-5);
            CHECK_RELATIVE(turning, 2.5 * mu * g * std::cos(angle), 1e-5);
        }
    }
}

}  // namespace beadwave::validation::packing_two_body_test
