// Cement between ellipsoids and between clumps: where it is, closed forms of two ellipsoids, rigid
// bodies that are integrated plainly, a beam of clumps, what is kept, and how it breaks.

#include "clump_packings.hpp"
#include "largest.hpp"
#include "packing/build/particle_shapes.hpp"
#include "packing/elements/bond_stepper.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing/shaped/cement_ends.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "shape_rows.hpp"
#include "shaped_packings.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

namespace beadwave::validation::shaped_bonds_test {
namespace {

using packing::Packing;
using packing::Vec3;
using shapes::gap_between;
using shapes::normalised;
using shapes::Quaternion;

constexpr double modulus = 2e9, ratio = 2.5, factor = 0.8, density = 2500.0;
const double infinite = std::numeric_limits<double>::infinity();

/// Joins all bodies of which two surfaces are at most `distance` apart.
void cement(Packing& p, double distance, double tensile_strength = infinite) {
    for (std::size_t a = 0; a < p.particles(); ++a) {
        for (std::size_t b = a + 1; b < p.particles(); ++b) {
            for (const auto& ends : packing::cement_between(p, a, b, distance)) {
                packing::Bond bond{.first = a, .second = b};
                bond.radius_factor = factor;
                bond.youngs_modulus = modulus;
                bond.stiffness_ratio = ratio;
                bond.tensile_strength = tensile_strength;
                bond.ends = ends;
                p.elements.bonds.push_back(bond);
            }
        }
    }
}

/// The stiffnesses of a cement of this length and radius, from the equations of the bond.
struct Beam {
    double stretch, shear;     // [N/m]
    double twisting, bending;  // [N m]
};
Beam beam_of(double length, double radius) {
    const double area = std::numbers::pi * radius * radius, moment = 0.25 * area * radius * radius;
    const double normal = modulus / length, shear = normal / ratio;
    return {normal * area, shear * area, shear * 2.0 * moment, normal * moment};
}

/// Two ellipsoids, turned anyhow, with this gap between them.
Packing oblique_pair(double gap) {
    Packing p = shaped_packing(1e9);
    shapes::Body a =
        shapes::solid({{2e-3, 1.5e-3, 1e-3}, {}, normalised({0.3, -0.5, 0.7, 0.1})}, density);
    shapes::Body b = shapes::solid(
        {{1.2e-3, 1.8e-3, 1.4e-3}, {3e-3, 2e-3, 2.5e-3}, normalised({0.1, 0.5, 0.2, 0.4})},
        density);
    const shapes::Gap far = gap_between({.first = a, .second = b});
    b.shape.centre += (far.overlap + gap) * far.normal;
    add_body(p, a);
    add_body(p, b);
    return p;
}

/// Two bodies and the cement between them, as ordinary differential equations.
struct TwoBodies {
    struct State {
        std::array<Vec3, 2> place{}, velocity{}, momentum{};  // momentum: angular, in space
        std::array<Quaternion, 2> turned{};
        Vec3 shear{}, bending{};
        double twisting = 0.0;
    };
    const Packing& packing;
    const packing::Bond& bond;
    Beam beam;
    double start_length, first_part;
    std::array<Vec3, 2> end{};  // in the bodies

    explicit TwoBodies(const Packing& p) : packing(p), bond(p.elements.bonds[0]) {
        const auto& [one, two] = *bond.ends;
        start_length = size_of(p.position[1] + two.place - p.position[0] - one.place);
        beam = beam_of(start_length, factor * std::min(one.radius, two.radius));
        first_part = one.depth / (one.depth + two.depth);
        end = {to_body(p.orientation[0], one.place), to_body(p.orientation[1], two.place)};
    }
    State start() const {
        State s;
        for (std::size_t k = 0; k < 2; ++k) {
            s.place[k] = packing.position[k];
            s.velocity[k] = packing.velocity[k];
            s.turned[k] = packing.orientation[k];
            const Vec3 w = to_body(s.turned[k], packing.angular_velocity[k]), i = moments(k);
            s.momentum[k] = to_space(s.turned[k], {i.x * w.x, i.y * w.y, i.z * w.z});
        }
        return s;
    }
    Vec3 moments(std::size_t k) const {
        const Vec3& a = packing.semi_axes[k];
        const double m = 0.2 * packing.mass[k];
        return {m * (a.y * a.y + a.z * a.z), m * (a.z * a.z + a.x * a.x),
                m * (a.x * a.x + a.y * a.y)};
    }
    State rate(const State& s) const {
        std::array<Vec3, 2> spin, arm;
        State r;
        for (std::size_t k = 0; k < 2; ++k) {
            const Vec3 l = to_body(s.turned[k], s.momentum[k]), i = moments(k);
            spin[k] = to_space(s.turned[k], {l.x / i.x, l.y / i.y, l.z / i.z});
            arm[k] = to_space(s.turned[k], end[k]);
            r.place[k] = s.velocity[k];
            r.turned[k] =
                Quaternion{0.0, 0.5 * spin[k].x, 0.5 * spin[k].y, 0.5 * spin[k].z} * s.turned[k];
        }
        const Vec3 branch = s.place[1] + arm[1] - s.place[0] - arm[0];
        const Vec3 growth =
            s.velocity[1] + cross(spin[1], arm[1]) - s.velocity[0] - cross(spin[0], arm[0]);
        const double length = size_of(branch);
        const Vec3 n = branch * (1.0 / length), mean = 0.5 * (spin[0] + spin[1]);
        const auto across = [&](const Vec3& v) { return v - dot(v, n) * n; };
        const Vec3 frame = cross(n, growth * (1.0 / length)) + dot(mean, n) * n;
        const Vec3 slip =
            across(growth - cross(first_part * spin[0] + (1.0 - first_part) * spin[1], branch));
        const Vec3 turning = spin[1] - spin[0];
        r.shear = cross(frame, s.shear) - beam.shear * slip;
        r.bending = cross(frame, s.bending) - beam.bending * across(turning);
        r.twisting = -beam.twisting * dot(turning, n);
        const Vec3 force = s.shear - beam.stretch * (length - start_length) * n,
                   moment = s.bending + s.twisting * n;
        const Vec3 at = arm[0] + first_part * branch;  // from the first centre
        r.velocity[0] = force * (-1.0 / packing.mass[0]);
        r.velocity[1] = force * (1.0 / packing.mass[1]);
        r.momentum[0] = -cross(at, force) - moment;
        r.momentum[1] = cross(s.place[0] + at - s.place[1], force) + moment;
        return r;
    }
    static State sum(const State& s, const State& by, double part) {
        State all = s;
        for (std::size_t k = 0; k < 2; ++k) {
            all.place[k] += part * by.place[k];
            all.velocity[k] += part * by.velocity[k];
            all.momentum[k] += part * by.momentum[k];
            Quaternion& q = all.turned[k];
            const Quaternion& d = by.turned[k];
            q = {q.w + part * d.w, q.x + part * d.x, q.y + part * d.y, q.z + part * d.z};
        }
        all.shear += part * by.shear;
        all.bending += part * by.bending;
        all.twisting += part * by.twisting;
        return all;
    }
    /// Runge and Kutta's method of fourth order.
    State after(double time, int steps) const {
        State s = start();
        const double h = time / steps;
        for (int k = 0; k < steps; ++k) {
            const State a = rate(s), b = rate(sum(s, a, 0.5 * h)), c = rate(sum(s, b, 0.5 * h)),
                        d = rate(sum(s, c, h));
            s = sum(sum(s, a, h / 6.0), sum(b, c, 1.0), h / 3.0);
            s = sum(s, d, h / 6.0);
        }
        return s;
    }
};

/// Of velocity Verlet in a step, where the square of the frequency is this.
double phase_of(double square, double dt) {
    return 2.0 * std::asin(0.5 * std::sqrt(square) * dt);
}

}  // namespace

TEST_CASE("cement of ellipsoids lies on their common normal, as deep as their centres") {
    constexpr double gap = 0.2e-3;
    Packing p = oblique_pair(gap);
    CHECK(packing::cement_between(p, 0, 1, 0.99 * gap).empty());
    const auto all = packing::cement_between(p, 0, 1, 1.01 * gap);
    REQUIRE(all.size() == 1);
    const auto& [one, two] = all[0];
    const Vec3 branch = p.position[1] + two.place - p.position[0] - one.place;
    const double length = size_of(branch);
    CHECK_RELATIVE(length, one.depth + two.depth + gap, 1e-10);
    const Vec3 n = branch * (1.0 / length);
    for (std::size_t k = 0; k < 2; ++k) {
        const packing::CementEnd& end = all[0][k];
        const Vec3& a = p.semi_axes[k];
        CHECK_RELATIVE(end.radius, std::cbrt(a.x * a.y * a.z), 1e-14);
        CHECK_ABSOLUTE(dot(end.place, n), 0.0, 1e-12 * length);
        // The end of the normal is on the surface, whose gradient is along it.
        const Vec3 out = k == 0 ? n : -n;
        const Vec3 r = to_body(p.orientation[k], end.place + end.depth * out);
        const Vec3 slope{r.x / (a.x * a.x), r.y / (a.y * a.y), r.z / (a.z * a.z)};
        CHECK_RELATIVE(dot(r, slope), 1.0, 1e-10);
        CHECK_RELATIVE(dot(slope, to_body(p.orientation[k], out)), size_of(slope), 1e-12);
    }
}

TEST_CASE("two cemented ellipsoids stretch, twist, bend and shear as closed forms say") {
    const Vec3 axes{2e-3, 1.5e-3, 1e-3};
    constexpr double length = 4.2e-3, dt = 1e-8, size = 1e-5;
    Packing p = shaped_packing(1e9);
    for (const double x : {0.0, length})
        add_body(p, shapes::solid({axes, {x, 0.0, 0.0}, {}}, density));
    cement(p, 0.3e-3);
    REQUIRE(p.elements.bonds.size() == 1);
    const double m = p.mass[0];
    const Vec3 inertia = 0.2 * m *
                         Vec3{axes.y * axes.y + axes.z * axes.z, axes.z * axes.z + axes.x * axes.x,
                              axes.x * axes.x + axes.y * axes.y};
    const Beam beam = beam_of(length, factor * std::cbrt(axes.x * axes.y * axes.z));
    const double per_length = 1.0 / length;
    p.velocity = {{-size, -size, 0.0}, {size, size, 0.0}};
    p.angular_velocity = {per_length * Vec3{-size, -size, -0.5 * size},
                          per_length * Vec3{size, size, 0.5 * size}};
    const auto engine = packing::make_packing_engine(p, dt, 1);
    const auto check = [&](double found, double start, double square) {
        const double steps = static_cast<double>(engine->step());
        CHECK_ABSOLUTE(found, start * std::cos(phase_of(square, dt) * steps), 1e-6 * start);
    };
    for (int look = 0; look < 10; ++look) {
        engine->advance(371);
        const Vec3 v = engine->velocity()[1] - engine->velocity()[0];
        const Vec3 w_1 = engine->angular_velocity()[0], w_2 = engine->angular_velocity()[1];
        check(v.x, 2.0 * size, 2.0 * beam.stretch / m);
        check(w_2.x - w_1.x, 2.0 * per_length * size, 2.0 * beam.twisting / inertia.x);
        check(w_2.y - w_1.y, 2.0 * per_length * size, 2.0 * beam.bending / inertia.y);
        check(w_2.z - w_1.z, per_length * size, 2.0 * beam.bending / inertia.z);
        check(v.y - 0.5 * length * (w_1.z + w_2.z), 2.0 * size,
              beam.shear * (2.0 / m + 0.5 * length * length / inertia.z));
    }
    CHECK(engine->closed_contacts() == 0);
}

TEST_CASE("two ellipsoids with oblique cement move as rigid bodies that are integrated plainly") {
    Packing p = oblique_pair(0.2e-3);
    cement(p, 0.3e-3);
    p.velocity = {{0.2, -0.1, 0.15}, {-0.1, 0.3, 0.05}};
    p.angular_velocity = {{60.0, -90.0, 40.0}, {-50.0, 30.0, 80.0}};
    const TwoBodies plain(p);
    constexpr double time = 5e-4;
    const TwoBodies::State exact = plain.after(time, 40'000);
    CHECK_ABSOLUTE(size_of(plain.after(time, 20'000).place[1] - exact.place[1]), 0.0, 1e-14);
    std::vector<double> errors;
    for (const int steps : {2'500, 5'000, 10'000}) {
        const auto engine = packing::make_packing_engine(p, time / steps, 1);
        engine->advance(steps);
        CHECK(engine->closed_contacts() == 0);
        Largest worst;
        for (std::size_t k = 0; k < 2; ++k) {
            worst.enter(size_of(p.position[k] + engine->displacement()[k] - exact.place[k]));
            worst.enter(1e-4 * size_of(engine->velocity()[k] - exact.velocity[k]));
            const Vec3 x = to_space(engine->orientation()[k], {1e-3, 0.0, 0.0}),
                       y = to_space(engine->orientation()[k], {0.0, 1e-3, 0.0});
            worst.enter(size_of(x - to_space(exact.turned[k], {1e-3, 0.0, 0.0})));
            worst.enter(size_of(y - to_space(exact.turned[k], {0.0, 1e-3, 0.0})));
        }
        errors.push_back(worst);
        MESSAGE("steps ", steps, ": ", errors.back(), " m");
    }
    // Both have turned by 0.05 rad, and have swung some 30 times.
    CHECK(errors.back() < 5e-8);
    for (std::size_t k = 1; k < errors.size(); ++k)
        CHECK_RELATIVE(errors[k - 1] / errors[k], 4.0, 0.1);
}

TEST_CASE("a cloud of cemented ellipsoids and clumps keeps momentum, rotation and energy") {
    RandomNumbers random(11);
    Packing p = shaped_packing(1e9);
    const auto dumb = dumbbell(1e-3, 1.2e-3);
    for (int k = 0; k < 18; ++k) {
        const Vec3 place = 3.6e-3 * Vec3{1.0 * (k % 3), 1.0 * (k / 3 % 3), 1.0 * (k / 9)};
        if (k % 2 == 0) {
            add_clump(p, dumb, density, place, random.rotation());
        } else {
            shapes::Ellipsoid shape = random.ellipsoid(1.6);
            shape.centre = place;
            add_body(p, shapes::solid(shape, density));
            p.clumps.resize(p.particles());
        }
        p.velocity.back() = 0.05 * random.direction();
        p.angular_velocity.back() = 40.0 * random.direction();
    }
    p.law = law_settings("hertz");
    cement(p, 1.2e-3);
    CHECK(p.elements.bonds.size() > 20);
    CHECK(packing::validate(p).empty());
    std::vector<double> energy_errors;
    for (const int halvings : {0, 1, 2}) {
        const double dt = 4e-8 / (1 << halvings);
        const auto engine = packing::make_packing_engine(p, dt, 1);
        const packing::PackingTotals start = engine->totals();
        const double speed = 0.05, mass = p.mass[0] * 18, reach = 7.2e-3;
        Largest worst;
        for (int look = 0; look < 50; ++look) {
            engine->advance(200 << halvings);
            const packing::PackingTotals now = engine->totals();
            CHECK_ABSOLUTE(size_of(now.momentum - start.momentum), 0.0, 1e-12 * mass * speed);
            CHECK_ABSOLUTE(size_of(now.angular_momentum - start.angular_momentum), 0.0,
                           1e-12 * mass * speed * reach);
            worst.enter(std::abs(energy_of(now) / energy_of(start) - 1.0));
        }
        CHECK(engine->totals().stored_elements > 0.05 * energy_of(start));
        energy_errors.push_back(worst);
        MESSAGE("step ", dt, ": energy error ", energy_errors.back());
    }
    CHECK(energy_errors.back() < 1e-4);
    CHECK_RELATIVE(energy_errors[0] / energy_errors[1], 4.0, 0.3);
    CHECK_RELATIVE(energy_errors[1] / energy_errors[2], 4.0, 0.3);
}

TEST_CASE("a clamped beam of cemented clumps swings under a load as its lattice does") {
    constexpr std::size_t n = 8;
    constexpr double radius = 1e-3, apart = 1.5e-3, gap = 0.1e-3, dt = 2e-8, load = 1e-6;
    constexpr double frequency = 3000.0, length = 2.0 * radius + gap, half = 0.5 * apart;
    Packing p = shaped_packing(1e9);
    const auto dumb = dumbbell(radius, apart);
    for (std::size_t k = 0; k < n; ++k)
        add_clump(p, dumb, density, {static_cast<double>(k) * (apart + length), 0.0, 0.0});
    p.fixed.assign(n, 0);
    p.fixed[0] = 1;
    cement(p, 2.0 * gap);
    REQUIRE(p.elements.bonds.size() == n - 1);
    const auto zero = stepping::ForceSignal::constant(0.0);
    p.elements.forces = {{zero, stepping::ForceSignal::sine(frequency, load), zero}};
    p.elements.loads = {{n - 1, 0}};
    const auto engine = packing::make_packing_engine(p, dt, 1);

    // Deflections w along y and rotations a about z of the clumps. The slip of a cement is that of
    // its ends, less the rotation of both halves of its length.
    const Beam beam = beam_of(length, factor * radius);
    const double mass = p.mass[0], inertia = packing::inertia_of(p, 0).momentum({0, 0, 1}).z;
    std::array<double, n> w{}, a{}, w_speed{}, a_speed{}, force{}, torque{};
    const double lever = half + 0.5 * length;
    const auto forces_at = [&](double time) {
        force = torque = {};
        for (std::size_t k = 0; k + 1 < n; ++k) {
            const double f = beam.shear * (w[k + 1] - w[k] - lever * (a[k] + a[k + 1]));
            const double moment = beam.bending * (a[k + 1] - a[k]);
            force[k] += f, force[k + 1] -= f;
            torque[k] += lever * f + moment, torque[k + 1] += lever * f - moment;
        }
        force[n - 1] += load * std::sin(2.0 * std::numbers::pi * frequency * time);
    };
    Largest largest, worst;
    forces_at(0.0);
    for (int step = 1; step <= 20'000; ++step) {
        for (std::size_t k = 1; k < n; ++k) {
            w_speed[k] += 0.5 * dt / mass * force[k], a_speed[k] += 0.5 * dt / inertia * torque[k];
            w[k] += dt * w_speed[k], a[k] += dt * a_speed[k];
        }
        forces_at(step * dt);
        for (std::size_t k = 1; k < n; ++k)
            w_speed[k] += 0.5 * dt / mass * force[k], a_speed[k] += 0.5 * dt / inertia * torque[k];
        if (step % 500 != 0) continue;
        engine->advance(500);
        for (std::size_t k = 0; k < n; ++k) {
            largest.enter(std::abs(w[k]));
            worst.enter(std::abs(engine->displacement()[k].y - w[k]));
        }
    }
    MESSAGE("largest deflection ", double(largest), " m, difference ", double(worst), " m");
    CHECK(largest > 1e-10);
    // What is left is of the order of the deflection over the length, squared.
    CHECK(worst < 1e-11 * largest);
}

TEST_CASE("the cement of a pulled ellipsoid breaks at its strength, and loses what it had stored") {
    const Vec3 axes{2e-3, 1.5e-3, 1e-3};
    constexpr double length = 4.0e-3, dt = 1e-7, speed = 1e-2, strength = 2.0003e6;
    Packing p = shaped_packing(1e9);
    for (const double x : {0.0, length})
        add_body(p, shapes::solid({axes, {x, 0.0, 0.0}, {}}, density));
    p.fixed = {1, 0};
    cement(p, 1e-9, strength);
    REQUIRE(p.elements.bonds.size() == 1);
    p.elements.motions = {
        {.along = {stepping::Drive::steady(speed), std::nullopt, std::nullopt}, .rotates = true}};
    p.drive(1, 0);
    const auto engine = packing::make_packing_engine(p, dt, 1);
    // E x / l is above the strength for the first time.
    const double last = std::ceil(strength * length / modulus / (speed * dt));
    const Beam beam = beam_of(length, factor * std::cbrt(axes.x * axes.y * axes.z));
    engine->advance(static_cast<std::int64_t>(last) - 1);
    CHECK(engine->broken_bonds(0.0).empty());
    const double x = speed * dt * (last - 1.0);
    CHECK_RELATIVE(engine->elements().bonds().tension(0), beam.stretch * x, 1e-9);
    CHECK_RELATIVE(engine->totals().stored_elements, 0.5 * beam.stretch * x * x, 1e-9);
    engine->advance(100);
    const auto broken = engine->broken_bonds(0.0);
    REQUIRE(broken.size() == 1);
    CHECK(broken[0].step == last);
    CHECK_RELATIVE(broken[0].energy, 0.5 * beam.stretch * x * (x + speed * dt), 1e-9);
    const packing::PackingTotals end = engine->totals();
    CHECK(end.stored_elements == 0.0);
    CHECK_RELATIVE(end.broken_energy, broken[0].energy, 1e-15);
    CHECK_RELATIVE(end.external_work, end.broken_energy, 1e-9);
}

}  // namespace beadwave::validation::shaped_bonds_test
