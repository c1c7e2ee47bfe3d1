// Springs to the ground, masses inside particles, loads and driven particles of packings, against
// closed forms; the two engines against each other.

#include "largest.hpp"
#include "packing/elements/element_stepper.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "simd/instruction_sets.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_elements_test {

using packing::Elements;
using packing::Packing;
using packing::Vec3;
using stepping::Drive;
using stepping::ForceSignal;

namespace {

constexpr double pi = std::numbers::pi;

packing::ForceOverTime constant(Vec3 f) {
    return {ForceSignal::constant(f.x), ForceSignal::constant(f.y), ForceSignal::constant(f.z)};
}

/// One sphere of 20 g.
Packing one_sphere(Vec3 velocity = {}) {
    Packing p = steel_packing();
    p.add(1e-2, 0.02, {});
    p.velocity[0] = velocity;
    return p;
}

/// A crystal with friction in which everything acts, and an intruder that pushes it.
Packing everything(const char* law) {
    Packing p = soft_rough_crystal(law);
    const double m = p.mass[0];
    p.add(steel_radius, m, {1e-3, 2e-4, -2.02 * steel_radius});
    p.add(steel_radius, m, {4e-3, -3e-3, 6.5 * steel_radius});
    p.angular_velocity[37] = {20.0, -5.0, 0.0};
    Elements& all = p.elements;
    for (std::size_t i = 0; i < 12; ++i)
        all.foundations.push_back({i, {.stiffness = 5e3, .cubic = 1e11, .damping = 0.3}, 2e-6});
    for (std::size_t i = 0; i < 36; i += 2)
        all.resonators.push_back({i, 0.2 * m, {.stiffness = 4e3, .cubic = 3e10, .damping = 0.2}});
    for (std::size_t i = 0; i < 36; i += 5)
        all.resonators.push_back({i, 0.1 * m, {.stiffness = 6e3}});
    all.forces = {constant({0.02, 0.0, -0.03}),
                  {ForceSignal::sine(900.0, 0.1, 2.0), ForceSignal::constant(0.0),
                   ForceSignal::table({0.0, 1e-3, 3e-3}, {0.0, 0.2, -0.1})}};
    for (const std::size_t i : {30, 31, 5})
        all.loads.push_back({i, i == 31 ? 1U : 0U});
    all.motions = {
        {.along = {Drive::steady(0.0), Drive::steady(0.0), Drive::steady(0.1)}},
        {.along = {Drive::sine(700.0, 2e-5), std::nullopt, std::nullopt}, .rotates = true}};
    p.drive(36, 0);
    p.drive(35, 1);
    return p;
}

}  // namespace

TEST_CASE("a sphere on a spring swings and decays as the oscillator, along any direction") {
    for (const EngineMaker& make : engine_makers) {
        constexpr double k = 5e5, c = 40.0, m = 0.02, dt = 1e-7;
        const Vec3 start{0.3, -0.1, 0.2};
        Packing p = one_sphere(start);
        p.elements.foundations = {{0, {.stiffness = k, .damping = c}}};
        const auto engine = make(p, dt);
        const double gamma = 0.5 * c / m, omega = std::sqrt(k / m - gamma * gamma);
        for (int look = 0; look < 20; ++look) {
            engine->advance(371);
            const double t = dt * static_cast<double>(engine->step());
            const double u = std::exp(-gamma * t) * std::sin(omega * t) / omega;
            // Second order: (omega dt)^2 / 24 of the phase, 1e-8 per radian here.
            CHECK_ABSOLUTE(size_of(engine->displacement()[0] - u * start), 0.0,
                           1e-6 * size_of(start) / omega);
        }
        const packing::PackingTotals t = engine->totals();
        CHECK_ABSOLUTE(energy_of(t), 0.5 * m * dot(start, start),
                       1e-6 * 0.5 * m * dot(start, start));
    }
}

TEST_CASE("a hardening spring swings with the period of Duffing's oscillator") {
    // x'' + a x + b x^3 = 0 from x' = v: a quarter period is the integral of dx / x'.
    constexpr double k = 5e5, k3 = 3e14, m = 0.02, v = 0.5, dt = 1e-8;
    Packing p = one_sphere({0.0, v, 0.0});
    p.elements.foundations = {{0, {.stiffness = k, .cubic = k3}}};
    const double a = k / m, b = k3 / m;
    const double square = (-a + std::sqrt(a * a + 2.0 * b * v * v)) / b;  // of the amplitude
    // With x = A sin(phi): dt = dphi / sqrt(a + b A^2 (1 + sin^2 phi) / 2), by the midpoint rule,
    // which converges exponentially for a periodic integrand.
    double quarter = 0.0;
    constexpr int parts = 64;
    for (int i = 0; i < parts; ++i) {
        const double s = std::sin((i + 0.5) * 0.5 * pi / parts);
        quarter += 0.5 * pi / parts / std::sqrt(a + 0.5 * b * square * (1.0 + s * s));
    }
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        const auto steps = static_cast<std::int64_t>(quarter / dt);
        engine->advance(steps);
        CHECK_RELATIVE(engine->displacement()[0].y, std::sqrt(square), 1e-6);
        engine->advance(steps);  // half a period, less than a step away from zero
        CHECK_ABSOLUTE(engine->displacement()[0].y, 0.0, 2.5 * v * dt);
        CHECK_RELATIVE(engine->velocity()[0].y, -v, 1e-6);
    }
}

TEST_CASE("a sphere that sinks in a viscous fluid reaches m g / c, and a turning one stops") {
    constexpr double c = 0.5, m = 0.02, turning = 1e-5;
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_sphere();
        p.gravity = {0.0, 0.0, -9.81};
        p.angular_velocity[0] = {0.0, 30.0, 0.0};
        p.elements.foundations = {{0, {.damping = c}, turning}};
        const auto engine = make(p, 1e-4);
        engine->advance(1234);
        const double t = 0.1234;
        // Second order: (c dt / m)^2 / 12.
        CHECK_RELATIVE(engine->velocity()[0].z, -m * 9.81 / c * -std::expm1(-c / m * t), 2e-6);
        CHECK_RELATIVE(engine->angular_velocity()[0].y,
                       30.0 * std::exp(-turning / p.inertia[0] * t), 1e-5);
        engine->advance(20'000);
        CHECK_RELATIVE(engine->velocity()[0].z, -m * 9.81 / c, 1e-12);
    }
}

TEST_CASE("a sphere on a spring under a sine reaches the steady amplitude of the oscillator") {
    constexpr double k = 5e5, c = 60.0, m = 0.02, f = 700.0, dt = 2e-7;
    const Vec3 force{3.0, 0.0, -4.0};
    const double w = 2.0 * pi * f;
    const double expected = 5.0 / std::hypot(k - m * w * w, c * w);
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_sphere();
        p.elements.foundations = {{0, {.stiffness = k, .damping = c}}};
        p.elements.forces = {{ForceSignal::sine(f, force.x), ForceSignal::constant(0.0),
                              ForceSignal::sine(f, force.z)}};
        p.elements.loads = {{0, 0}};
        const auto engine = make(p, dt);
        engine->advance(150'000);  // exp(-45) of the start is left
        Largest largest;
        for (int i = 0; i < 2000; ++i) {
            engine->advance(5);
            largest.enter(size_of(engine->displacement()[0]));
        }
        CHECK_RELATIVE(largest, expected, 1e-5);
        // One period of the load gives what the dashpot takes: pi c w A^2.
        const double before = engine->totals().dissipated_elements;
        const auto period = static_cast<std::int64_t>(std::llround(1.0 / f / dt));
        engine->advance(period);
        CHECK_RELATIVE(engine->totals().dissipated_elements - before,
                       pi * c * w * expected * expected, 1e-4);
    }
}

TEST_CASE("a driven sphere feels the force of its spring, its mass and its load") {
    constexpr double k = 5e5, c = 60.0, m = 0.02, f = 700.0, size = 1e-4, dt = 2e-7;
    const double w = 2.0 * pi * f;
    for (const EngineMaker& make : engine_makers) {
        Packing p = one_sphere();
        p.gravity = {0.0, -9.81, 0.0};
        p.elements.foundations = {{0, {.stiffness = k, .damping = c}}};
        p.elements.forces = {constant({2.0, 0.0, 0.0})};
        p.elements.loads = {{0, 0}};
        p.elements.motions = {
            {.along = {Drive::sine(f, size), Drive::steady(0.0), Drive::steady(0.0)}}};
        p.drive(0, 0);
        CHECK(p.velocity[0].x == w * size);
        const auto engine = make(p, dt);
        double work = 0.0, last_power = engine->elements().drive_forces()[0].x * w * size;
        for (int step = 1; step <= 9000; ++step) {
            engine->advance(1);
            const double t = dt * step, s = std::sin(w * t), o = std::cos(w * t);
            const Vec3 force = engine->elements().drive_forces()[0];
            const double expected = (k - m * w * w) * size * s + c * w * size * o - 2.0;
            if (step % 500 == 0) {
                CHECK_ABSOLUTE(force.x, expected, 1e-6 * k * size);
                CHECK_RELATIVE(force.y, m * 9.81, 1e-12);
                CHECK_RELATIVE(engine->displacement()[0].x, size * s, 1e-12);
                CHECK_RELATIVE(engine->velocity()[0].x, w * size * o, 1e-12);
            }
            const double power = force.x * w * size * o;
            work += 0.5 * dt * (last_power + power);
            last_power = power;
        }
        const packing::PackingTotals t = engine->totals();
        const double by_load = 2.0 * engine->displacement()[0].x;
        const double scale = 0.5 * m * w * w * size * size;
        CHECK_ABSOLUTE(t.external_work, work + by_load, 1e-6 * scale);
        CHECK_ABSOLUTE(energy_of(t), scale, 1e-6 * scale);
    }
}

TEST_CASE("an intruder's work equals the ledger's, and its force is that of its contacts") {
    for (const EngineMaker& make : engine_makers) {
        Packing p = everything("tsuji");
        p.elements.loads.clear();
        p.elements.foundations.clear();
        p.elements.resonators.clear();
        p.gravity = {};
        constexpr double dt = 4e-7;
        const auto engine = make(p, dt);
        double work = 0.0;
        Vec3 last[] = {engine->elements().drive_forces()[0], engine->elements().drive_forces()[1]};
        double velocity = engine->velocity()[35].x;
        const double start = energy_of(engine->totals());
        for (int step = 0; step < 6000; ++step) {
            engine->advance(1);
            const std::vector<Vec3> now = engine->elements().drive_forces();
            const double v = engine->velocity()[35].x;
            work += 0.5 * dt * ((last[0].z + now[0].z) * 0.1 + last[1].x * velocity + now[1].x * v);
            last[0] = now[0], last[1] = now[1], velocity = v;
        }
        Vec3 contacts{};
        for (const packing::ContactState& c : engine->contacts()) {
            if (c.first == 36) contacts += c.normal_force + c.tangential_force;
            if (c.second == 36) contacts -= c.normal_force + c.tangential_force;
        }
        CHECK(size_of(contacts) > 0.1);
        CHECK_ABSOLUTE(size_of(last[0] + contacts), 0.0, 1e-3 * size_of(contacts));
        const packing::PackingTotals t = engine->totals();
        CHECK(work > 1e-6);
        CHECK_RELATIVE(t.external_work, work, 1e-5);
        CHECK_ABSOLUTE(energy_of(t), start, 1e-5 * work);
    }
}

TEST_CASE("the energy of a packing with all elements is balanced, with the square of the step") {
    for (const char* law : {"hertz", "tsuji", "ma-liu"}) {
        for (const EngineMaker& make : engine_makers) {
            Largest error[2];
            for (const int fine : {0, 1}) {
                const Packing p = everything(law);
                const auto engine = make(p, 4e-7 / (1 + fine));
                const double start = energy_of(engine->totals());
                Largest& worst = error[fine];
                for (int look = 0; look < 20; ++look) {
                    engine->advance(200 * (1 + fine));
                    const packing::PackingTotals t = engine->totals();
                    worst.enter(std::abs(energy_of(t) - start) /
                                (t.translational + t.stored_elements));
                }
            }
            INFO(std::string(law));
            MESSAGE("energy errors: ", error[0], " ", error[1]);
            CHECK(error[0] < 1e-6);
            CHECK(error[1] < 0.27 * error[0]);
        }
    }
}

TEST_CASE("both engines of packings agree on everything that particles carry") {
    for (const char* law : {"hertz", "tsuji", "ma-liu"}) {
        const Packing p = everything(law);
        const auto plain = packing::make_plain_packing_engine(p, 4e-7);
        const auto fast = packing::make_packing_engine(p, 4e-7, 1);
        for (int look = 0; look < 10; ++look) {
            plain->advance(300);
            for (int k = 0; k < 3; ++k)
                fast->advance(100);
            INFO(std::string(law));
            CHECK_ABSOLUTE(largest_difference(fast->displacement(), plain->displacement()), 0.0,
                           1e-9);
            CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-8);
            CHECK_ABSOLUTE(largest_difference(fast->angular_velocity(), plain->angular_velocity()),
                           0.0, 1e-7);
            CHECK_ABSOLUTE(largest_difference(fast->elements().drive_forces(),
                                              plain->elements().drive_forces()),
                           0.0, 1e-7);
            const packing::PackingTotals a = fast->totals(), b = plain->totals();
            CHECK_RELATIVE(a.external_work, b.external_work, 1e-8);
            CHECK_RELATIVE(a.dissipated_elements, b.dissipated_elements, 1e-8);
            CHECK_RELATIVE(a.stored_elements, b.stored_elements, 1e-8);
            CHECK_ABSOLUTE(a.dissipated_normal, b.dissipated_normal, 1e-8 * b.stored_elements);
        }
    }
}

TEST_CASE("grouping of steps, threads, sleep and a restored state leave the bits of elements") {
    // 2,200 particles are three blocks; most of them rest without gravity.
    Packing p = steel_packing("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(
        p,
        {.lattice = packing::Lattice::simple_cubic, .cells = {100, 11, 2}, .radius = steel_radius});
    Elements& all = p.elements;
    for (std::size_t i = 0; i < 1000; i += 7)
        all.foundations.push_back({i, {.stiffness = 5e4, .damping = 0.3}, 1e-6});
    for (std::size_t i = 3; i < 1000; i += 11)
        all.resonators.push_back({i, 1e-4, {.stiffness = 4e4, .damping = 0.2}});
    all.forces = {
        {ForceSignal::sine(2e4, 5.0), ForceSignal::constant(0.0), ForceSignal::constant(1.0)}};
    all.loads = {{17, 0}, {2100, 0}};
    all.motions = {
        {.along = {Drive::steady(0.5), Drive::steady(0.0), Drive::steady(0.0)}},
        {.along = {std::nullopt, Drive::sine(3e4, 1e-6), std::nullopt}, .rotates = true}};
    p.drive(0, 0);
    p.drive(250, 1);
    constexpr double dt = 1e-7;
    const auto whole = packing::make_packing_engine(p, dt, 1);
    whole->advance(600);
    const auto expected = saved(*whole);
    const auto threads = packing::make_packing_engine(p, dt, 3);
    for (const int steps : {1, 199, 7, 1, 1, 391})
        threads->advance(steps);
    CHECK(saved(*threads) == expected);
    const auto first = packing::make_packing_engine(p, dt, 2);
    first->advance(333);
    const auto middle = saved(*first);
    const auto second = packing::make_packing_engine(p, dt, 1);
    restore(*second, 333, middle);
    CHECK(second->elements().drive_forces() == first->elements().drive_forces());
    second->advance(267);
    CHECK(saved(*second) == expected);
    CHECK(second->totals().external_work == whole->totals().external_work);

    const auto plain = packing::make_plain_packing_engine(p, dt);
    plain->advance(200);
    const auto plain_middle = saved(*plain);
    const auto again = packing::make_plain_packing_engine(p, dt);
    restore(*again, 200, plain_middle);
    plain->advance(100);
    again->advance(100);
    CHECK(saved(*plain) == saved(*again));
}

TEST_CASE("particles driven as one body do not touch each other") {
    Packing p = steel_packing();
    p.add(1e-3, 1e-4, {});
    p.add(1e-3, 1e-4, {1e-3, 0.0, 0.0});
    p.add(1e-3, 1e-4, {0.0, 0.0, 3e-3});
    p.elements.motions = {{.along = {Drive::steady(0.0), Drive::steady(0.0), Drive::steady(0.2)}}};
    p.drive(0, 0);
    p.drive(1, 0);
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, 1e-6);
        CHECK(engine->contacts().empty());
        CHECK(engine->elements().drive_forces()[1] == Vec3{});
        engine->advance(8000);
        CHECK_RELATIVE(engine->displacement()[1].z, 1.6e-3, 1e-12);
        // An elastic sphere at rest is thrown at twice the speed along the normal, by an infinite
        // mass, at first by the sphere below it alone.
        CHECK(engine->velocity()[2].z > 0.3);
    }
}

}  // namespace beadwave::validation::packing_elements_test
