// Rolling and twisting resistance at walls that turn: closed forms, balances, and the same on every
// engine.

#include "meshes.hpp"
#include "mixed_packings.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"
#include "turning_drum.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::validation::turning_walls_rolling_test {

using packing::Packing;
using packing::Plane;
using packing::Revolved;

namespace {

constexpr double g = 9.81, rolls = 0.05, twists = 0.02, soft = 1e7;

/// A soft sphere, damped, so that it soon rolls without vibrating.
Packing soft_sphere() {
    Packing p = steel_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.3}});
    p.species_list[0].elasticity.youngs_modulus = soft;
    p.friction = {
        .law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 1e3, .damping = 0.5};
    p.rolling = {.coefficient = rolls, .twisting_coefficient = twists, .damping_ratio = 0.2};
    p.gravity = {0, 0, -g};
    p.add(steel_radius, steel_mass(steel_radius), {});
    return p;
}

/// At which Hertz's force of the soft sphere on a wall is `force` [m].
double overlap_under(double force) {
    const double modulus = soft / (2.0 * (1.0 - steel_ratio * steel_ratio));
    return std::pow(force / (4.0 / 3.0 * modulus * std::sqrt(steel_radius)), 2.0 / 3.0);
}

/// Both engines in double precision, and the fast one in mixed precision.
const std::vector<EngineMaker>& all_engines() {
    static const std::vector<EngineMaker> all{
        engine_makers[0], engine_makers[1], [](const Packing& p, double dt) {
            return packing::make_packing_engine(in_mixed_precision(p), dt, 1);
        }};
    return all;
}

/// The drum without what else acts on the spheres: all walls turn about its axis.
Packing closed_drum() {
    Packing p = turning_drum("tsuji");
    p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
    p.gravity = {};
    p.walls[2].load.reset();
    p.walls[3].velocity = {};
    for (const std::size_t w : {0, 1, 3})
        p.walls[w].angular_velocity = 40.0;
    p.walls[2].angular_velocity = -40.0;  // its direction is that against the axis
    return p;
}

}  // namespace

TEST_CASE("a floor that turns spins a sphere up at 5/2 mu_t g / R, and then carries it") {
    // M = mu_t R m g and I = 2/5 m R^2. Until the sphere is as fast as the floor, the floor gives
    // M W t, of which the sphere has M^2 t^2 / (2 I), and the rest is lost to twisting.
    constexpr double dt = 4e-6, turns = 30.0;
    Packing p = soft_sphere();
    const double force = p.mass[0] * g;
    p.position[0] = {0.0, 0.0, steel_radius - overlap_under(force)};
    std::vector<packing::WallShape> floors{
        Plane{}, Revolved::disc({}, {0, 0, 1}, 0.01),
        mesh_of(plate({-0.01, -0.01, 0}, {0.02, 0, 0}, {0, 0.02, 0}, 3))};
    for (const packing::WallShape& floor : floors) {
        p.walls = {{.shape = floor, .angular_velocity = turns}};
        for (const EngineMaker& make : all_engines()) {
            const auto engine = make(p, dt);
            const double rate = 2.5 * twists * g / steel_radius;
            const double start = energy_of(engine->totals());
            engine->advance(12'500);
            double time = 12'500 * dt;
            REQUIRE(rate * time < 0.5 * turns);
            const double w = engine->angular_velocity()[0].z,
                         given = engine->totals().external_work;
            // The spring is wound up first: by less than a part in 1000 of this time.
            CHECK_RELATIVE(w, rate * time, 2e-3);
            engine->advance(12'500);
            CHECK_RELATIVE(engine->angular_velocity()[0].z - w, rate * time, 1e-5);
            const packing::PackingTotals t = engine->totals();
            const double torque = twists * steel_radius * force;
            CHECK_RELATIVE(t.external_work - given, torque * turns * time, 1e-5);
            CHECK_RELATIVE(t.rotational, 0.5 * p.inertia[0] * std::pow(rate * 2.0 * time, 2), 4e-3);
            CHECK_RELATIVE(t.dissipated_rolling, t.external_work - t.rotational, 1e-2);
            CHECK_ABSOLUTE(energy_of(t), start, 1e-6 * t.external_work);
            time = 1.2 * turns / rate;
            engine->advance(static_cast<std::int64_t>(time / dt) - 25'000);
            CHECK_RELATIVE(engine->angular_velocity()[0].z, turns, 1e-3);
        }
    }
}

TEST_CASE("in a turning cylinder a sphere rolls in place where gravity balances its resistance") {
    // The centre stays at an angle a from the lowest point, at r = R - overlap from the surface.
    // Friction T = m g sin a carries it; its moment T r is the resistance mu_r R N, N = m g cos a.
    // It rolls without slip: w r = W R_c. The wall gives W times the moment of its weight about
    // the axis, and all of this is lost to rolling: M (w - W) with M = T r.
    constexpr double dt = 2e-6, turns = 4.0, drum = 0.03;
    for (const bool meshed : {false, true}) {
        Packing p = soft_sphere();
        p.rolling.twisting_coefficient = 0.0;
        double overlap = 0.0, angle = 0.0;
        for (int k = 0; k < 20; ++k) {
            angle = std::atan(rolls * steel_radius / (steel_radius - overlap));
            overlap = overlap_under(p.mass[0] * g * std::cos(angle));
        }
        const double arm = drum - steel_radius + overlap, r = steel_radius - overlap;
        const double weight = p.mass[0] * g;
        // The surface moves along -x at the bottom, with the axis along y.
        p.position[0] = arm * Vec3{-std::sin(angle), 0.0, -std::cos(angle)};
        p.angular_velocity[0] = {0.0, turns * drum / r, 0.0};
        if (meshed) {
            p.walls = {{.shape = mesh_of(tube({0, 1, 0}, drum, 0.01, 3000), {}, 0.35),
                        .angular_velocity = turns}};
            std::get<packing::Mesh>(p.walls[0].shape).axis = {0, 1, 0};
        } else {
            p.walls = {
                {.shape = Revolved::cylinder({}, {0, 1, 0}, drum), .angular_velocity = turns}};
        }
        for (const EngineMaker& make : all_engines()) {
            if (meshed && &make != &all_engines()[1]) continue;
            const auto engine = make(p, dt);
            // Friction and its springs build up within 5 ms; a slow swing of 0.3 s is left.
            engine->advance(5'000);
            const packing::PackingTotals before = engine->totals();
            const std::int64_t steps = meshed ? 10'000 : 100'000;
            engine->advance(steps);
            const double time = static_cast<double>(steps) * dt;
            const packing::PackingTotals t = engine->totals();
            const double power = weight * std::sin(angle) * arm * turns;
            INFO(meshed, " ", size_of(engine->displacement()[0]) / arm);
            CHECK(size_of(engine->displacement()[0]) < 5e-3 * arm);
            CHECK_RELATIVE(engine->angular_velocity()[0].y, turns * drum / r, 2e-2);
            CHECK_RELATIVE(t.external_work - before.external_work, power * time, 2e-2);
            CHECK_RELATIVE(t.dissipated_rolling - before.dissipated_rolling, power * time, 2e-2);
            CHECK_RELATIVE(
                power, rolls * steel_radius * weight * std::cos(angle) * (turns * drum / r - turns),
                1e-6);
        }
    }
}

TEST_CASE("what turns as a whole with its drum neither rolls nor twists") {
    Packing p = soft_sphere();
    p.gravity = {};
    const double turns = 60.0, drum = 0.02;
    const double force = p.mass[0] * turns * turns * (drum - steel_radius);
    const double arm = drum - steel_radius + overlap_under(force);
    p.position[0] = {arm, 0.0, 0.0};
    p.velocity[0] = {0.0, turns * arm, 0.0};
    p.angular_velocity[0] = {0.0, 0.0, turns};
    p.walls = {{.shape = Revolved::cylinder({}, {0, 0, 1}, drum), .angular_velocity = turns}};
    for (const EngineMaker& make : all_engines()) {
        const auto engine = make(p, 2e-6);
        const double energy = engine->totals().translational + engine->totals().rotational;
        engine->advance(50'000);  // a turn
        const packing::PackingTotals t = engine->totals();
        CHECK_ABSOLUTE(t.dissipated_rolling, 0.0, 1e-8 * energy);
        CHECK_ABSOLUTE(t.external_work, 0.0, 1e-4 * energy);
        CHECK_RELATIVE(engine->angular_velocity()[0].z, turns, 1e-3);
    }
}

TEST_CASE("the work of a drum that turns is its speed times the angular momentum that it gives") {
    // In velocity Verlet the angular momentum changes by the trapezoidal sum of the moments, and
    // the work is this sum times the speed: equal to rounding, of floats in mixed precision.
    const Packing p = closed_drum();
    const Vec3 axis{0.6, 0.0, 0.8};
    for (std::size_t k = 0; k < all_engines().size(); ++k) {
        const auto engine = all_engines()[k](p, 1e-7);
        const packing::PackingTotals start = engine->totals();
        engine->advance(1500);
        const packing::PackingTotals now = engine->totals();
        const double work = 40.0 * dot(axis, now.angular_momentum - start.angular_momentum);
        const double scale = now.translational + now.rotational;
        INFO(k, " ", now.external_work / scale, " ", now.dissipated_rolling / scale);
        CHECK(std::abs(work) > 1e-3 * scale);
        CHECK(now.dissipated_rolling > 1e-4 * scale);
        CHECK_RELATIVE(now.external_work, work, k == 2 ? 1e-5 : 1e-9);
    }
}

TEST_CASE("rolling beside walls that turn is alike in both engines, on every instruction set") {
    for (const std::string law : {"hertz", "tsuji"}) {
        Packing p = turning_drum(law);
        p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
        p.skin = 5e-5;
        const auto plain = packing::make_plain_packing_engine(p, 1e-7);
        const double start = energy_of(plain->totals());
        plain->advance(1500);
        REQUIRE(plain->neighbour_list_builds() > 1);
        const packing::PackingTotals b = plain->totals();
        const double scale = b.translational + b.rotational;
        CHECK(b.dissipated_rolling > 1e-4 * scale);
        // The error of the step, by the dashpots of rolling: 1.9e-5 for hertz; 1.8e-5 with walls at
        // rest.
        CHECK_ABSOLUTE(energy_of(b), start, 4e-5 * scale);
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            const auto fast = packing::make_packing_engine(p, 1e-7, 1, set);
            fast->advance(1500);
            INFO(law, " ", set.name);
            const packing::PackingTotals a = fast->totals();
            CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-8);
            CHECK_ABSOLUTE(largest_difference(fast->angular_velocity(), plain->angular_velocity()),
                           0.0, 1e-8);
            CHECK_ABSOLUTE(a.external_work, b.external_work, 1e-9 * scale);
            CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, 1e-9 * scale);
            CHECK_ABSOLUTE(a.dissipated_rolling, b.dissipated_rolling, 1e-9 * scale);
            const auto mixed = packing::make_packing_engine(in_mixed_precision(p), 1e-7, 1, set);
            mixed->advance(1500);
            CHECK_ABSOLUTE(largest_difference(mixed->velocity(), plain->velocity()), 0.0, 1e-5);
            CHECK_ABSOLUTE(mixed->totals().external_work, b.external_work, 1e-5 * scale);
            CHECK_ABSOLUTE(mixed->totals().dissipated_rolling, b.dissipated_rolling, 1e-5 * scale);
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of rolling at walls that turn") {
    Packing p = turning_drum("ma-liu");
    p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
    // More blocks of particles, far away.
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {11, 11, 11},
                    .origin = {1.0, 1.0, 1.0},
                    .radius = steel_radius});
    p.skin = 5e-5;
    SUBCASE("in double precision") {
        check_mixed_bits(p, 2e-7);
    }
    SUBCASE("in mixed precision") {
        check_mixed_bits(in_mixed_precision(p), 2e-7);
    }
}

TEST_CASE("rolling in a turning cylinder is alike in both engines in a box that strains along it") {
    Packing p = steel_packing("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
    const double d = 2.02 * steel_radius;
    std::uint64_t number = 0;
    for (int k = 0; k < 5 * 5 * 6; ++k) {
        p.add(steel_radius, steel_mass(steel_radius),
              d * Vec3{k % 5 - 2.0, k / 5 % 5 - 2.0, k / 25 + 0.0});
        p.velocity.back() = 0.8 * Vec3{normal_number(2, number), normal_number(2, number + 1),
                                       normal_number(2, number + 2)};
        number += 3;
    }
    p.walls = {{.shape = Revolved::cylinder({}, {0, 0, 1}, 2.9 * d + steel_radius),
                .angular_velocity = 60.0}};
    p.box.upper = {0, 0, 6.0 * d};
    p.box.periodic = {false, false, true};
    p.box.strain = packing::Straining{.rate = {0, 0, -30.0}};
    p.skin = 5e-5;
    const auto plain = packing::make_plain_packing_engine(p, 1e-7);
    const double start = energy_of(plain->totals());
    plain->advance(2500);
    REQUIRE(plain->neighbour_list_builds() > 1);
    const packing::PackingTotals b = plain->totals();
    const double scale = b.translational + b.rotational;
    INFO((energy_of(b) - start), " ", b.dissipated_rolling, " ", b.external_work, " of ", scale);
    CHECK(b.dissipated_rolling > 1e-4 * scale);
    CHECK_ABSOLUTE(energy_of(b), start, 4e-5 * scale);
    for (const auto precision : {packing::Precision::full, packing::Precision::mixed}) {
        p.precision = precision;
        const double bound = precision == packing::Precision::full ? 1e-7 : 1e-3;
        const auto fast = packing::make_packing_engine(p, 1e-7, 1);
        fast->advance(2500);
        const packing::PackingTotals a = fast->totals();
        CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, bound);
        CHECK_ABSOLUTE(a.external_work, b.external_work, bound * scale);
        CHECK_ABSOLUTE(a.dissipated_rolling, b.dissipated_rolling, bound * scale);
    }
}

TEST_CASE("devices refuse rolling resistance beside walls that turn") {
    Packing p = closed_drum();
    CHECK(validate(p).empty());
    p.place = packing::Place::twin;
    CHECK(validate(p) ==
          "device: devices do not have rolling or twisting resistance beside walls that turn yet; "
          "without `device` the packing runs on the processor's cores");
    p.rolling = {};
    CHECK(validate(p).empty());
}

}  // namespace beadwave::validation::turning_walls_rolling_test
