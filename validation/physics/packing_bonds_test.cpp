// Bonds of packings against closed forms: beams of bonded spheres that stretch, twist and bend, how
// bonds break, and the two engines against each other.

#include "largest.hpp"
#include "packing/elements/bond_stepper.hpp"
#include "packing_engines.hpp"
#include "packing_texts.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "torn_crystal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::packing_bonds_test {

using packing::Packing;
using packing::Vec3;

namespace {

constexpr double pi = std::numbers::pi;
// Spheres with a gap of cement, so that they never touch.
constexpr double radius = 2e-3, length = 4.1e-3, modulus = 2e9, ratio = 2.5, factor = 0.8;
constexpr double mass = 2.7e-4, inertia = 0.4 * mass * radius * radius;
constexpr double cement = factor * radius;
const double area = pi * cement * cement, second_moment = 0.25 * area * cement * cement;
const double normal = modulus / length, shear = normal / ratio;  // per area

/// A row of spheres along x, bonded.
Packing beam(std::size_t spheres, const packing::Bond& bond = {}) {
    Packing p = steel_packing();
    for (std::size_t i = 0; i < spheres; ++i)
        p.add(radius, mass, {length * static_cast<double>(i), 0.0, 0.0});
    for (std::size_t i = 1; i < spheres; ++i) {
        packing::Bond each = bond;
        each.first = i - 1, each.second = i;
        each.radius_factor = factor, each.youngs_modulus = modulus, each.stiffness_ratio = ratio;
        p.elements.bonds.push_back(each);
    }
    return p;
}

/// Eigenvalues, ascending, and eigenvectors (rows) of a symmetric matrix, by Jacobi's rotations.
struct Eigen {
    std::vector<double> value;
    std::vector<std::vector<double>> vector;
};

Eigen eigen_of(std::vector<std::vector<double>> a) {
    const std::size_t n = a.size();
    std::vector<std::vector<double>> v(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
        v[i][i] = 1.0;
    for (int sweep = 0; sweep < 30; ++sweep) {
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = p + 1; q < n; ++q) {
                if (a[p][q] == 0.0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t =
                    (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(1.0, theta));
                const double c = 1.0 / std::hypot(1.0, t), s = c * t;
                for (std::size_t k = 0; k < n; ++k) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                    const double vx = v[p][k], vy = v[q][k];
                    v[p][k] = c * vx - s * vy, v[q][k] = s * vx + c * vy;
                }
            }
        }
    }
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i)
        order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return a[i][i]; });
    Eigen found;
    for (const std::size_t i : order) {
        found.value.push_back(a[i][i]);
        found.vector.push_back(v[i]);
    }
    return found;
}

/// Bending of a free beam along x in the plane xy: deflections w, then rotations about z, each
/// times the root of its inertia. `clamped`: the first sphere is held.
Eigen bending_modes(std::size_t spheres, bool clamped) {
    const std::size_t n = 2 * spheres;
    std::vector<std::vector<double>> k(n, std::vector<double>(n, 0.0));
    const auto add = [&](double stiffness,
                         const std::vector<std::pair<std::size_t, double>>& form) {
        for (const auto& [i, a] : form) {
            for (const auto& [j, b] : form)
                k[i][j] += stiffness * a * b;
        }
    };
    for (std::size_t i = 0; i + 1 < spheres; ++i) {
        // Slip in the middle: w_2 - w_1 - (l/2) (theta_1 + theta_2); the rotation of one end
        // against the other.
        add(shear * area, {{i, -1.0},
                           {i + 1, 1.0},
                           {spheres + i, -0.5 * length},
                           {spheres + i + 1, -0.5 * length}});
        add(normal * second_moment, {{spheres + i, -1.0}, {spheres + i + 1, 1.0}});
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            k[i][j] /= std::sqrt((i < spheres ? mass : inertia) * (j < spheres ? mass : inertia));
            const auto held = [&](std::size_t at) { return clamped && at % spheres == 0; };
            if (held(i) || held(j)) k[i][j] = i == j ? 1e20 : 0.0;
        }
    }
    return eigen_of(k);
}

/// u = A sin(W t) of velocity Verlet from rest, with the velocity 1 at the start.
double swing(double omega, double dt, std::int64_t steps) {
    const double phase = 2.0 * std::asin(0.5 * omega * dt);
    return dt * std::sin(phase * static_cast<double>(steps)) / std::sin(phase);
}

}  // namespace

TEST_CASE("a bonded row stretches and twists at 2 sqrt(k/m) sin(q/2)") {
    constexpr std::size_t n = 12;
    constexpr double dt = 1e-7;
    constexpr int steps = 2000;
    for (const int mode : {1, 5, 11}) {
        const double q = pi * mode / static_cast<double>(n);
        const auto shape = [&](std::size_t i) {
            return std::cos(q * (static_cast<double>(i) + 0.5));
        };
        for (const EngineMaker& make : engine_makers) {
            constexpr double speed = 1e-6, spin = 1e-3;
            Packing p = beam(n);
            for (std::size_t i = 0; i < n; ++i) {
                p.velocity[i] = {speed * shape(i), 0.0, 0.0};
                p.angular_velocity[i] = {spin * shape(i), 0.0, 0.0};
            }
            const auto engine = make(p, dt);
            engine->advance(steps);
            const double along = 2.0 * std::sqrt(normal * area / mass) * std::sin(0.5 * q);
            const double twist =
                2.0 * std::sqrt(shear * 2.0 * second_moment / inertia) * std::sin(0.5 * q);
            const double u = speed * swing(along, dt, steps);
            // The rotation is not recorded: its speed is.
            const double phase = 2.0 * std::asin(0.5 * twist * dt);
            for (std::size_t i = 0; i < n; ++i) {
                CHECK_ABSOLUTE(engine->displacement()[i].x, u * shape(i), 1e-9 * speed / along);
                CHECK_ABSOLUTE(engine->angular_velocity()[i].x,
                               spin * std::cos(phase * steps) * shape(i), 1e-9 * spin);
            }
        }
    }
}

TEST_CASE(
    "a bonded row bends with the frequencies of its lattice, which approach those of the beam" *
    doctest::skip(sanitised)) {
    constexpr std::size_t n = 24;
    constexpr double dt = 2e-7;
    for (const bool clamped : {false, true}) {
        const Eigen modes = bending_modes(n, clamped);
        const std::size_t rigid = clamped ? 0 : 2;
        const double first = std::sqrt(modes.value[rigid]);
        // Euler and Bernoulli: cos(b) cosh(b) = 1 of a free beam, -1 of a clamped one, of the
        // length n l, or (n - 1/2) l from the centre of the held sphere.
        const double b = clamped ? 1.8751041 : 4.7300407;
        const double whole = (static_cast<double>(n) - (clamped ? 0.5 : 0.0)) * length;
        const double beam_frequency =
            b * b / (whole * whole) * std::sqrt(modulus * second_moment / (mass / length));
        MESSAGE("first frequency of the lattice over that of the beam: ", first / beam_frequency);
        CHECK_RELATIVE(first, beam_frequency, 0.015);
        for (const std::size_t mode : {rigid, rigid + 1, rigid + 4}) {
            const double omega = std::sqrt(modes.value[mode]);
            const auto steps = static_cast<std::int64_t>(2.2 * pi / omega / dt);
            for (const EngineMaker& make : engine_makers) {
                constexpr double speed = 1e-5;
                Packing p = beam(n);
                if (clamped) {
                    p.fixed.assign(n, 0);
                    p.fixed[0] = 1;
                }
                const auto w = [&](std::size_t i) {
                    return modes.vector[mode][i] / std::sqrt(mass);
                };
                const auto turn = [&](std::size_t i) {
                    return modes.vector[mode][n + i] / std::sqrt(inertia);
                };
                Largest largest;
                for (std::size_t i = 0; i < n; ++i)
                    largest.enter(std::abs(w(i)));
                const double scale = speed / largest;
                for (std::size_t i = clamped ? 1 : 0; i < n; ++i) {
                    p.velocity[i] = {0.0, scale * w(i), 0.0};
                    p.angular_velocity[i] = {0.0, 0.0, scale * turn(i)};
                }
                const auto engine = make(p, dt);
                engine->advance(steps);
                const double expected = swing(omega, dt, steps);
                Largest worst;
                for (std::size_t i = 0; i < n; ++i) {
                    worst.enter(std::abs(engine->displacement()[i].y - scale * w(i) * expected));
                }
                // Small displacements: their square over the length is left.
                CHECK(worst < 1e-5 * speed / omega);
            }
        }
    }
}

TEST_CASE("a bond breaks at its tensile strength, and what it had stored is dissipated") {
    constexpr double strength = 1e6, speed = 0.5, dt = 1e-9;
    const double force = strength * area, stiffness = normal * area;
    const double omega = std::sqrt(2.0 * stiffness / mass);
    const double time = std::asin(omega * force / stiffness / speed) / omega;
    for (const EngineMaker& make : engine_makers) {
        Packing p = beam(2, {.tensile_strength = strength});
        p.velocity = {{-0.5 * speed, 0.0, 0.0}, {0.5 * speed, 0.0, 0.0}};
        const auto engine = make(p, dt);
        const double start = energy_of(engine->totals());
        engine->advance(static_cast<std::int64_t>(1.5 * time / dt));
        const packing::BondStepper::State& state = engine->elements().bonds().states()[0];
        CHECK(state.broken_at * dt > time);
        CHECK(state.broken_at * dt < time + 1.5 * dt);
        const packing::PackingTotals now = engine->totals();
        CHECK_RELATIVE(now.broken_energy, 0.5 * force * force / stiffness, 1e-3);
        CHECK(now.dissipated_elements == now.broken_energy);
        CHECK_RELATIVE(energy_of(now), start, 1e-11);
        CHECK(now.stored_elements == 0.0);
    }
}

TEST_CASE("twisting breaks a bond at its shear strength") {
    // A sphere turns about the bond with a fixed one: tau = M R/J = k_s R theta.
    constexpr double strength = 1e5, gentle = 0.05, dt = 1e-8;
    const double twisting = shear * 2.0 * second_moment, omega = std::sqrt(twisting / inertia);
    const double angle = strength / (shear * cement);
    for (const EngineMaker& make : engine_makers) {
        Packing p = beam(2, {.shear_strength = strength});
        p.fixed = {1, 0};
        p.angular_velocity[1] = {gentle, 0.0, 0.0};
        const auto engine = make(p, dt);
        const auto state = [&] { return engine->elements().bonds().states()[0]; };
        REQUIRE(gentle / omega < angle);  // this does not break it
        engine->advance(static_cast<std::int64_t>(2.0 * pi / omega / dt));
        CHECK(state().intact());
        CHECK_ABSOLUTE(state().twisting, 0.0, 1e-3 * twisting * angle);
        engine->set_velocities(1, {}, {1.5 * angle * omega, 0.0, 0.0});
        const std::int64_t from = engine->step();
        while (state().intact() && engine->step() - from < 100000)
            engine->advance(1);
        const double took = static_cast<double>(engine->step() - from) * dt;
        CHECK_RELATIVE(took, std::asin(1.0 / 1.5) / omega, 5e-3);
    }
}

TEST_CASE("bending breaks a bond at its tensile strength") {
    // Two spheres turn against each other: sigma = M R/I = k_n R phi, with the angle phi between
    // them, (inertia/2) phi'' = -k_n I phi.
    constexpr double strength = 1e6, dt = 1e-8;
    const double omega = std::sqrt(2.0 * normal * second_moment / inertia);
    const double angle = strength / (normal * cement), spin = 1.4 * angle * omega;
    for (const EngineMaker& make : engine_makers) {
        Packing p = beam(2, {.tensile_strength = strength});
        p.angular_velocity = {{0.0, 0.0, -0.5 * spin}, {0.0, 0.0, 0.5 * spin}};
        const auto engine = make(p, dt);
        const double start = energy_of(engine->totals());
        const auto state = [&] { return engine->elements().bonds().states()[0]; };
        while (state().intact() && engine->step() < 100000)
            engine->advance(1);
        CHECK_ABSOLUTE(state().broken_at * dt, std::asin(1.0 / 1.4) / omega, 1.5 * dt);
        CHECK_RELATIVE(state().broken_energy, 0.5 * normal * second_moment * angle * angle, 1e-2);
        CHECK_RELATIVE(energy_of(engine->totals()), start, 1e-9);
    }
}

TEST_CASE("a bonded row that tumbles keeps its momenta and its energy" * doctest::skip(sanitised)) {
    for (const EngineMaker& make : engine_makers) {
        Packing p = beam(6);
        const Vec3 spin{300.0, -200.0, 500.0}, centre{2.5 * length, 0.0, 0.0};
        for (std::size_t i = 0; i < p.particles(); ++i) {
            p.velocity[i] = cross(spin, p.position[i] - centre) + Vec3{0.3, 0.1, -0.2};
            p.angular_velocity[i] = spin;
        }
        const auto engine = make(p, 5e-8);
        const packing::PackingTotals start = engine->totals();
        engine->advance(400000);  // 20 ms: more than a turn
        const packing::PackingTotals now = engine->totals();
        const double scale = size_of(start.angular_momentum);
        MESSAGE("energy ", energy_of(now) / energy_of(start) - 1.0, ", angular momentum ",
                size_of(now.angular_momentum - start.angular_momentum) / scale);
        CHECK_RELATIVE(energy_of(now), energy_of(start), 1e-8);
        CHECK(size_of(now.angular_momentum - start.angular_momentum) < 1e-12 * scale);
        CHECK(size_of(now.momentum - start.momentum) < 1e-10 * size_of(start.momentum));
    }
}

TEST_CASE("both engines of packings agree on bonds, and energy is balanced while they break") {
    const Packing p = torn_crystal();
    const double dt = 2e-7;
    const auto plain = packing::make_plain_packing_engine(p, dt);
    const auto fast = packing::make_packing_engine(p, dt, 2);
    const packing::PackingTotals start = plain->totals();
    plain->advance(3000), fast->advance(3000);
    CHECK(largest_difference(fast->displacement(), plain->displacement()) < 1e-10);
    CHECK(largest_difference(fast->angular_velocity(), plain->angular_velocity()) < 1e-8);
    const auto &a = plain->elements().bonds().states(), &b = fast->elements().bonds().states();
    std::size_t broken = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        CHECK(a[k].broken_at == b[k].broken_at);
        broken += a[k].intact() ? 0 : 1;
    }
    MESSAGE(broken, " of ", a.size(), " bonds broke");
    CHECK(broken > 3);
    CHECK(broken < a.size());
    const packing::PackingTotals now = plain->totals();
    CHECK(now.broken_energy > 0.0);
    const double error = (energy_of(now) - energy_of(start)) / energy_of(start);
    MESSAGE("energy error ", error);
    CHECK(std::abs(error) < 1e-4);
}

TEST_CASE("threads and interruptions change no bit of a packing with bonds") {
    const Packing p = torn_crystal();
    const auto one = packing::make_packing_engine(p, 2e-7, 1);
    one->advance(1500);
    const auto middle = saved(*one);
    one->advance(1000);
    const auto expected = saved(*one);
    const auto three = packing::make_packing_engine(p, 2e-7, 3);
    for (const std::int64_t steps : {700, 1, 1799})
        three->advance(steps);
    CHECK(saved(*three) == expected);
    const auto again = packing::make_packing_engine(p, 2e-7, 2);
    restore(*again, 1500, middle);
    again->advance(1000);
    CHECK(saved(*again) == expected);
    const auto plain = packing::make_plain_packing_engine(p, 2e-7);
    plain->advance(800);
    const auto half = saved(*plain);
    const auto plain_again = packing::make_plain_packing_engine(p, 2e-7);
    restore(*plain_again, 800, half);
    plain->advance(500), plain_again->advance(500);
    CHECK(saved(*plain) == saved(*plain_again));
}

}  // namespace beadwave::validation::packing_bonds_test
