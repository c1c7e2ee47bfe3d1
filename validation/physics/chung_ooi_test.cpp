// The eight cases of the particle-impact benchmark of Chung and Ooi (2011, Granular Matter 13,
// 643), with other particles: compared with Hertz's closed forms, with those of gross sliding, and
// otherwise with an integration written here, independent of the program.

#include "packings.hpp"
#include "relative.hpp"

#include <array>
#include <limits>

namespace beadwave::validation::chung_ooi_test {

using packing::Vec3;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
const double plane_modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
const double shear_modulus = steel_modulus / (4.0 * (1.0 + steel_ratio) * (2.0 - steel_ratio));

/// In the plane: x towards the other body, y across, rotation about z.
struct Motion {
    double x, y, angular_velocity;
};
struct Body {
    double radius, mass;  // a wall: 0, infinite
    Motion at_start;
};
struct Rebound {
    Motion first, second;
    double largest_force, largest_overlap, duration;
};

/// Hertz, and Mindlin by increments with Coulomb's limit; leapfrog with a much shorter step than
/// the program's.
Rebound integrated(const Body& a, const Body& b, double mu, double dt) {
    const bool wall = std::isinf(b.mass);
    const double radius = wall ? a.radius : a.radius * b.radius / (a.radius + b.radius);
    const double hertz = 4.0 / 3.0 * plane_modulus * std::sqrt(radius);
    const double mindlin = 8.0 * shear_modulus * std::sqrt(radius);
    const double mobility_a = 1.0 / a.mass, mobility_b = wall ? 0.0 : 1.0 / b.mass;
    const double turn_a = 2.5 / (a.mass * a.radius * a.radius);
    const double turn_b = wall ? 0.0 : 2.5 / (b.mass * b.radius * b.radius);
    double nx = 1.0, ny = 0.0, dx = a.radius + b.radius, dy = 0.0, distance = dx;
    Motion u = a.at_start, v = b.at_start;
    double normal = 0.0, f = 0.0, k_before = 0.0, overlap = 0.0;
    Rebound out{};
    const auto kick = [&](double time) {
        const double arm_a = distance * a.radius / (a.radius + b.radius), arm_b = distance - arm_a;
        const double fx = normal * nx - f * ny, fy = normal * ny + f * nx;  // on b
        u.x -= fx * mobility_a * time;
        u.y -= fy * mobility_a * time;
        v.x += fx * mobility_b * time;
        v.y += fy * mobility_b * time;
        u.angular_velocity -= arm_a * f * turn_a * time;
        v.angular_velocity -= arm_b * f * turn_b * time;
    };
    do {
        kick(0.5 * dt);
        const double old_x = dx, old_y = dy;
        dx += (v.x - u.x) * dt;
        if (!wall) dy += (v.y - u.y) * dt;
        const double mx = 0.5 * (old_x + dx), my = 0.5 * (old_y + dy), middle = std::hypot(mx, my);
        distance = std::hypot(dx, dy);
        nx = dx / distance;
        ny = dy / distance;
        overlap = std::max(a.radius + b.radius - distance, 0.0);
        normal = hertz * overlap * std::sqrt(overlap);
        const double arm_a = middle * a.radius / (a.radius + b.radius), arm_b = middle - arm_a;
        const double across = ((u.y - v.y) * mx - (u.x - v.x) * my) / middle;
        const double slip = (across + u.angular_velocity * arm_a + v.angular_velocity * arm_b) * dt;
        const double k = mindlin * std::sqrt(overlap);
        if (k < k_before) f *= k / k_before;
        f += 0.5 * (k + k_before) * slip;
        f = std::max(-mu * normal, std::min(mu * normal, f));
        k_before = k;
        out.largest_force = std::max(out.largest_force, normal);
        out.largest_overlap = std::max(out.largest_overlap, overlap);
        out.duration += dt;
        kick(0.5 * dt);
    } while (overlap > 0.0);
    out.first = u;
    out.second = v;
    return out;
}

packing::Packing packing_of(const Body& a, const Body& b, double mu,
                            const std::string& law = "hertz") {
    packing::Packing p = steel_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = mu};
    const auto add = [&](const Body& body, double x) {
        p.add(body.radius, body.mass, {x, 0, 0});
        p.velocity.back() = {body.at_start.x, body.at_start.y, 0};
        p.angular_velocity.back() = {0, 0, body.at_start.angular_velocity};
    };
    add(a, 0.0);
    if (std::isinf(b.mass)) {
        p.walls.push_back(
            {.shape = packing::Plane{.point = {a.radius, 0, 0}, .normal = {-1, 0, 0}}});
    } else {
        add(b, a.radius + b.radius);
    }
    return p;
}

Rebound simulated(const packing::Packing& p, double dt) {
    const auto engine = packing::make_packing_engine(p, dt, 1);
    Rebound out{};
    bool touched = false;
    for (int k = 0; k < 1000000; ++k) {
        engine->advance(1);
        const auto contacts = engine->contacts();
        if (touched && contacts.empty()) break;
        if (contacts.empty()) continue;
        touched = true;
        out.largest_force = std::max(out.largest_force, size_of(contacts[0].normal_force));
        out.largest_overlap = std::max(out.largest_overlap, contacts[0].overlap);
        out.duration += dt;
    }
    const auto motion = [&](std::size_t i) -> Motion {
        return {engine->velocity()[i].x, engine->velocity()[i].y, engine->angular_velocity()[i].z};
    };
    out.first = motion(0);
    if (p.particles() > 1) out.second = motion(1);
    return out;
}

Body sphere(double radius, Motion motion) {
    return {.radius = radius, .mass = steel_mass(radius), .at_start = motion};
}
const Body wall{.radius = 0.0, .mass = infinite, .at_start = {}};

/// Both integrations are of second order except where sliding starts. There the error is 3e-5 of
/// the speed at 4000 steps.
void compare(const Body& a, const Body& b, double mu, double normal) {
    const double radius = b.radius > 0.0 ? std::min(a.radius, b.radius) : a.radius;
    const double dt = 7e-4 * radius / std::pow(normal, 0.2) * 1e-4 * 20.0;
    const Rebound expected = integrated(a, b, mu, 0.1 * dt);
    const Rebound got = simulated(packing_of(a, b, mu), dt);
    const auto same = [&](const Motion& m, const Motion& e, double r) {
        CHECK_ABSOLUTE(m.x, e.x, 3e-5 * normal);
        CHECK_ABSOLUTE(m.y, e.y, 3e-5 * normal);
        CHECK_ABSOLUTE(m.angular_velocity * r, e.angular_velocity * r, 1e-4 * normal);
    };
    same(got.first, expected.first, a.radius);
    if (b.radius > 0.0) same(got.second, expected.second, b.radius);
}

void check_hertz(const Rebound& o, double mass, double radius, double speed) {
    const double k = 4.0 / 3.0 * plane_modulus * std::sqrt(radius);
    const double deepest = std::pow(1.25 * mass * speed * speed / k, 0.4);
    CHECK_RELATIVE(o.largest_overlap, deepest, 1e-5);
    CHECK_RELATIVE(o.largest_force, k * std::pow(deepest, 1.5), 1e-5);
    // Hertz's duration is 2.943 deepest / speed. The start and the end are known to one step.
    CHECK_RELATIVE(o.duration, 2.9432751 * deepest / speed, 2e-3);
}

}  // namespace

TEST_CASE("impact 1: two equal elastic spheres, head on") {
    const Body a = sphere(0.01, {5.0, 0, 0}), b = sphere(0.01, {-5.0, 0, 0});
    const Rebound o = simulated(packing_of(a, b, 0.35), 1e-8);
    check_hertz(o, 0.5 * a.mass, 0.005, 10.0);
    CHECK_RELATIVE(o.first.x, -5.0, 1e-6);
    CHECK(o.first.angular_velocity == 0.0);
}

TEST_CASE("impact 2: an elastic sphere on a wall") {
    const Body a = sphere(0.1, {0.2, 0, 0});
    const Rebound o = simulated(packing_of(a, wall, 0.0), 4e-7);
    check_hertz(o, a.mass, 0.1, 0.2);
    CHECK_RELATIVE(o.first.x, -0.2, 1e-6);
}

TEST_CASE("impact 3: a sphere rebounds from a wall with the restitution times its speed") {
    for (const double restitution : {0.2, 0.4, 0.6, 0.8, 0.95}) {
        packing::Packing p = packing_of(sphere(0.0025, {3.9, 0, 0}), wall, 0.0);
        p.law = law_settings("tsuji", {{"restitution", restitution}});
        const Rebound o = simulated(p, 2e-9);
        CHECK_RELATIVE(-o.first.x / 3.9, restitution, 2e-3);
    }
}

TEST_CASE("impact 4: a sphere on a wall at one speed and many angles") {
    constexpr double mu = 0.092, speed = 3.9;
    for (const double degrees : {2.0, 10.0, 25.0, 45.0, 70.0}) {
        const double angle = degrees * std::numbers::pi / 180.0;
        const double normal = speed * std::cos(angle);
        INFO(degrees);
        compare(sphere(0.0025, {normal, speed * std::sin(angle), 0}), wall, mu, normal);
    }
}

TEST_CASE("impact 5: a sphere on a wall at one normal speed and many tangential ones") {
    for (const double tangential : {0.05, 0.3, 0.8, 1.5, 4.0}) {
        INFO(tangential);
        compare(sphere(0.01, {0.5, tangential, 0}), wall, 0.3, 0.5);
    }
}

TEST_CASE("impact 6: a rotating sphere on a wall") {
    for (const double rim : {0.02, 0.1, 0.3, 0.6, 2.0}) {
        INFO(rim);
        compare(sphere(0.1, {0.2, 0, rim / 0.1}), wall, 0.4, 0.2);
    }
}

TEST_CASE("impact 7: two equal spheres with equal angular velocities, head on") {
    for (const double rim : {0.02, 0.1, 0.3, 0.6, 2.0}) {
        INFO(rim);
        compare(sphere(0.1, {0.1, 0, rim / 0.1}), sphere(0.1, {-0.1, 0, rim / 0.1}), 0.4, 0.2);
    }
}

TEST_CASE("impact 8: two unequal spheres with equal angular velocities, head on") {
    for (const double rim : {0.02, 0.1, 0.3, 0.6, 2.0}) {
        INFO(rim);
        compare(sphere(0.1, {0.1, 0, rim / 0.1}), sphere(0.5, {-0.1, 0, rim / 0.1}), 0.4, 0.2);
    }
}

TEST_CASE("two fast rotating spheres slide throughout the impact, as in the closed form") {
    // Each sphere gets mu times its normal impulse: m (1 + e) v_n with v_n its own speed.
    constexpr double mu = 0.1, radius = 0.01, normal = 0.005, rim = 1.0;
    const Body a = sphere(radius, {normal, 0, rim / radius}),
               b = sphere(radius, {-normal, 0, rim / radius});
    const Rebound o = simulated(packing_of(a, b, mu), 5e-8);
    // The normal rotates and the arm shortens by about 1e-5.
    CHECK_RELATIVE(-o.first.y, mu * 2.0 * normal, 1e-4);
    CHECK_RELATIVE(rim - o.first.angular_velocity * radius, 2.5 * mu * 2.0 * normal, 1e-4);
    CHECK_RELATIVE(o.second.y, mu * 2.0 * normal, 1e-4);
}

}  // namespace beadwave::validation::chung_ooi_test
