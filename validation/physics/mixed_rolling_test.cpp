// Rolling and twisting resistance in mixed precision: closed forms, and the motion in double
// precision.

#include "mixed_packings.hpp"
#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"

#include <cmath>
#include <string>

namespace beadwave::validation::mixed_rolling_test {

using packing::Vec3;

namespace {

constexpr double g = 9.81, rolls = 0.05, twists = 0.02;

/// A soft sphere that rests on a plane, in its equilibrium after 30 ms.
packing::Packing sphere_on_plane() {
    packing::Packing p = steel_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.3}});
    p.species_list[0].elasticity.youngs_modulus = 1e7;
    // Damped, so that the sphere soon rolls without vibrating along the plane.
    p.friction = {
        .law = laws::FrictionLaw::linear, .coefficient = 0.3, .stiffness = 1e3, .damping = 0.5};
    p.rolling = {.coefficient = rolls, .twisting_coefficient = twists, .damping_ratio = 0.2};
    p.gravity = {0, 0, -g};
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, steel_radius - 5e-6});
    p.walls.push_back({});
    return in_mixed_precision(p);
}

packing::Packing rolling_tumble(const std::string& law, laws::FrictionLaw friction) {
    packing::Packing p = mixed_tumble(law, friction);
    p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.2};
    return p;
}

}  // namespace

TEST_CASE(
    "in mixed precision a rolling sphere slows down by 5/7 mu_r g, a turning one by its law") {
    // M = mu_r R m g at the centre, rolling without slip at the distance r = R - overlap from it:
    // (m + I/r^2) a = M/r with I = 2/5 m R^2. About the normal: I alpha = mu_t R m g.
    constexpr double dt = 2e-6;
    packing::Packing p = sphere_on_plane();
    p.velocity[0] = {0.5, 0.0, 0.0};
    p.angular_velocity[0] = {0.0, 0.5 / steel_radius, 0.0};
    const auto rolling = packing::make_packing_engine(p, dt, 1);
    p.velocity[0] = {};
    p.angular_velocity[0] = {0.0, 0.0, 30.0};
    const auto turning = packing::make_packing_engine(p, dt, 1);
    const auto advance = [&](double time) {
        const auto steps = static_cast<std::int64_t>(std::round(time / dt));
        rolling->advance(steps);
        turning->advance(steps);
    };
    advance(0.03);
    const Vec3 v = rolling->velocity()[0], w = turning->angular_velocity()[0];
    const packing::PackingTotals before = rolling->totals();
    advance(0.1);
    // What is left of the vibrations changes the mean force by less than 1e-4.
    const double part = steel_radius / (steel_radius - rolling->contacts()[0].overlap);
    const double slows = rolls * g * part / (1.0 + 0.4 * part * part);
    CHECK_ABSOLUTE(slows, 5.0 / 7.0 * rolls * g, 2e-3 * slows);
    CHECK_RELATIVE(v.x - rolling->velocity()[0].x, slows * 0.1, 1e-4);
    CHECK_RELATIVE(w.z - turning->angular_velocity()[0].z, 2.5 * twists * g / steel_radius * 0.1,
                   1e-4);
    // It slides over nothing: all of the lost energy went into rolling.
    const packing::PackingTotals now = rolling->totals();
    CHECK_RELATIVE(now.dissipated_rolling - before.dissipated_rolling,
                   before.translational + before.rotational - now.translational - now.rotational,
                   1e-4);
}

TEST_CASE("rolling resistance in mixed precision is that of double on every instruction set") {
    for (const std::string law : {"hertz", "ma-liu"}) {
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin}) {
            const packing::Packing p = rolling_tumble(law, friction);
            const auto exact = packing::make_packing_engine(p, 2e-7, 1);
            exact->advance(300);
            const packing::PackingTotals expected = exact->totals();
            const double scale = expected.translational + expected.rotational;
            REQUIRE(expected.dissipated_rolling > 0.0);
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                const auto engine =
                    packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1, set);
                engine->advance(300);
                INFO(set.name, " ", law, " ", static_cast<int>(friction));
                const double velocity = largest_difference(engine->velocity(), exact->velocity());
                CHECK(engine->neighbour_list_builds() > 0);
                CHECK_ABSOLUTE(velocity, 0.0, 2e-6);
                CHECK(velocity > 0.0);
                CHECK_ABSOLUTE(
                    largest_difference(engine->angular_velocity(), exact->angular_velocity()), 0.0,
                    2e-6);
                const packing::PackingTotals now = engine->totals();
                CHECK_ABSOLUTE(now.stored_tangential, expected.stored_tangential, 2e-6 * scale);
                CHECK_ABSOLUTE(now.dissipated_tangential, expected.dissipated_tangential,
                               2e-6 * scale);
                CHECK_ABSOLUTE(now.dissipated_rolling, expected.dissipated_rolling, 2e-6 * scale);
                CHECK_ABSOLUTE(now.dissipated_normal, expected.dissipated_normal, 2e-6 * scale);
            }
        }
    }
}

TEST_CASE(
    "rolling resistance in mixed precision takes pairs of which no two are alike, and images "
    "in a box that strains") {
    packing::Packing p = rolling_tumble("flores", laws::FrictionLaw::mindlin);
    SUBCASE("radii differ") {
        for (std::size_t i = 0; i < p.particles(); ++i) {
            const double ratio = 1.0 + 1e-4 * normal_number(4, i);
            p.radius[i] *= ratio;
            p.mass[i] *= ratio * ratio * ratio;
            p.inertia[i] *= std::pow(ratio, 5);
        }
    }
    SUBCASE("the box strains") {
        p.walls.clear();
        p.gravity = {};
        p.fixed.clear();
        p.box.strain = packing::Straining{.rate = {-20.0, 0, 0}};
    }
    check_mixed_close(p, 2e-7, 300, 2e-6);
}

TEST_CASE("threads, interruptions and resumption change no bit of rolling in mixed precision") {
    packing::Packing p = in_mixed_precision(rolling_tumble("ma-liu", laws::FrictionLaw::mindlin));
    add_crystal(p, {.lattice = packing::Lattice::fcc,
                    .cells = {4, 10, 8},
                    .origin = {0, 0.2, steel_radius},
                    .radius = steel_radius});
    p.skin = 5e-5;
    check_mixed_bits(p, 2e-7);
}

}  // namespace beadwave::validation::mixed_rolling_test
