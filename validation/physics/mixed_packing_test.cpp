// Packings in mixed precision against double precision.

#include "adhesion.hpp"
#include "largest.hpp"
#include "meshes.hpp"
#include "mixed_packings.hpp"
#include "normal_numbers.hpp"
#include "packing/state/fingerprint.hpp"
#include "packing_backends.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "resumed_packings.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "tumbling.hpp"
#include "turning_drum.hpp"

#include <cmath>
#include <string>

namespace beadwave::validation::mixed_packing_test {

using packing::Vec3;

namespace {

/// A periodic fcc crystal, pressed, whose spheres move at random and together.
packing::Packing warm_crystal(std::int64_t cells, const Vec3& together) {
    packing::Packing p = steel_packing();
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const packing::Crystal fcc{.lattice = packing::Lattice::fcc,
                               .cells = {cells, cells, cells},
                               .radius = steel_radius,
                               .overlap = 2e-7};
    add_crystal(p, fcc);
    std::uint64_t number = 0;
    const auto noise = [&] { return 1e-3 * normal_number(7, number++); };
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.velocity[i] = Vec3{noise(), noise(), noise()} + together;
        p.angular_velocity[i] = (1.0 / steel_radius) * Vec3{noise(), noise(), noise()};
    }
    p.box = {.lower = {-1e-3, -1e-3, -1e-3},
             .upper = packing::period(fcc) + Vec3{-1e-3, -1e-3, -1e-3},
             .periodic = {true, true, true}};
    return p;
}

}  // namespace

TEST_CASE("mixed precision gives the motion of double precision on every instruction set") {
    for (const std::string law : {"hertz", "flores", "ma-liu"}) {
        if (sanitised && law != "ma-liu") continue;
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin,
              laws::FrictionLaw::mindlin_displacement}) {
            const packing::Packing p = mixed_tumble(law, friction);
            const auto exact = packing::make_packing_engine(p, 2e-7, 1);
            packing::ParticleTrace b{.particles = {5, 7, 61, 400}, .force = {}, .velocity = {}};
            exact->advance(300, b);
            REQUIRE(largest_difference(b.force, {b.force.size(), Vec3{}}) > 1.0);
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                const auto engine =
                    packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1, set);
                packing::ParticleTrace a{.particles = {5, 7, 61, 400}, .force = {}, .velocity = {}};
                engine->advance(300, a);
                INFO(set.name, " ", law, " ", static_cast<int>(friction));
                const double velocity = largest_difference(engine->velocity(), exact->velocity());
                CHECK(engine->neighbour_list_builds() > 0);
                CHECK(engine->displacement()[5] == Vec3{});
                CHECK_ABSOLUTE(velocity, 0.0, 2e-6);
                CHECK(velocity > 0.0);
                CHECK_ABSOLUTE(
                    largest_difference(engine->angular_velocity(), exact->angular_velocity()), 0.0,
                    2e-6);
                CHECK_ABSOLUTE(largest_difference(a.force, b.force), 0.0, 1e-5);
                CHECK(engine->contacts().size() == exact->contacts().size());
                const packing::PackingTotals now = engine->totals(), expected = exact->totals();
                const double scale = expected.translational + expected.rotational;
                CHECK_ABSOLUTE(now.stored_tangential, expected.stored_tangential, 2e-6 * scale);
                CHECK_ABSOLUTE(now.dissipated_tangential, expected.dissipated_tangential,
                               2e-6 * scale);
                CHECK_ABSOLUTE(now.dissipated_normal, expected.dissipated_normal, 2e-6 * scale);
            }
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit in mixed precision") {
    packing::Packing p = in_mixed_precision(mixed_tumble("ma-liu", laws::FrictionLaw::mindlin));
    add_crystal(p, {.lattice = packing::Lattice::fcc,
                    .cells = {4, 10, 8},
                    .origin = {0, 0.2, steel_radius},
                    .radius = steel_radius});
    p.skin = 5e-5;
    const auto one = packing::make_packing_engine(p, 2e-7, 1);
    one->advance(500);
    REQUIRE(one->neighbour_list_builds() > 1);
    for (const int threads : {2, 3}) {
        const auto more = packing::make_packing_engine(p, 2e-7, threads);
        more->advance(123);
        more->advance(1);
        const SavedPacking columns = saved(*more);
        const auto again = packing::make_packing_engine(p, 2e-7, threads);
        restore(*again, 124, columns);
        CHECK(again->totals().stored_normal == more->totals().stored_normal);
        CHECK(again->closed_contacts() == more->closed_contacts());
        more->advance(376);
        again->advance(376);
        for (const auto* engine : {more.get(), again.get()}) {
            check_same_state(*engine, *one);
            CHECK(engine->totals().stored_tangential == one->totals().stored_tangential);
            CHECK(engine->overlap_rounding() == one->overlap_rounding());
        }
    }
}

TEST_CASE("mixed precision takes pairs of which no two are alike") {
    packing::Packing p = mixed_tumble("flores", laws::FrictionLaw::mindlin);
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double ratio = 1.0 + 1e-4 * normal_number(4, i);
        p.radius[i] *= ratio;
        p.mass[i] *= ratio * ratio * ratio;
        p.inertia[i] *= std::pow(ratio, 5);
    }
    SUBCASE("with friction") {}
    SUBCASE("without friction") {
        p.friction = {};
    }
    check_mixed_close(p, 2e-7, 300, 2e-6);
    const auto first = packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1);
    first->advance(300);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        const auto engine = packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1, set);
        engine->advance(300);
        CHECK_ABSOLUTE(largest_difference(engine->velocity(), first->velocity()), 0.0, 2e-6);
    }
}

TEST_CASE("turning drums, pistons and walls of triangles act in mixed precision as in double") {
    packing::Packing p = turning_drum("hertz");
    SUBCASE("cylinder, discs and cone") {}
    SUBCASE("with a plate of triangles between two layers") {
        const Vec3 axis{0.6, 0.0, 0.8}, across{0.08 * 0.8, 0.0, -0.08 * 0.6}, other{0.0, 0.08, 0.0};
        const Vec3 corner = 3.5 * 2.02 * steel_radius * axis - 0.5 * across - 0.5 * other;
        p.walls.push_back({.shape = mesh_of(plate(corner, across, other, 7))});
    }
    check_mixed_close(p, 5e-7, 1500, 1e-4);
}

TEST_CASE("in mixed precision a wall stays a wall for a body whose centre is behind it") {
    packing::Packing p = steel_packing();
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, 1.001 * steel_radius});
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, 6.0 * steel_radius});
    p.walls.push_back({});
    p.velocity[0] = {0, 0, -3000.0};  // much faster than the wall can stop it
    const double dt = 1e-9;
    const auto exact = packing::make_packing_engine(p, dt, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), dt, 1);
    for (int time = 0; time < 12; ++time) {
        exact->advance(100);
        engine->advance(100);
        INFO(time, " ", exact->displacement()[0].z / steel_radius);
        CHECK_ABSOLUTE(engine->velocity()[0].z, exact->velocity()[0].z, 1e-3);
        CHECK_ABSOLUTE(engine->deepest().overlap, exact->deepest().overlap, 1e-5 * steel_radius);
    }
    CHECK(exact->deepest().overlap > 1.2 * steel_radius);
}

TEST_CASE("sleeping blocks change no bit in mixed precision") {
    packing::Packing p = steel_packing();
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    add_crystal(p,
                {.lattice = packing::Lattice::fcc, .cells = {14, 14, 14}, .radius = steel_radius});
    p.velocity[0] = {3.0, 2.0, 1.0};
    p.angular_velocity[0] = {50.0, 0.0, 80.0};
    p = in_mixed_precision(p);
    const auto engine_of = [&](packing::Sleep sleep, int threads) {
        return fast_engine(p, 2e-7, threads, sleep);
    };
    auto sleeping = engine_of(packing::Sleep::yes, 2), awake = engine_of(packing::Sleep::no, 1);
    Largest most;
    for (int look = 0; look < 12; ++look) {
        sleeping.advance(look % 3 == 0 ? 1 : 37);
        awake.advance(look % 3 == 0 ? 1 : 37);
        most.enter(fast_of(sleeping).asleep_fraction());
        CHECK(sleeping.displacement() == awake.displacement());
        CHECK(sleeping.velocity() == awake.velocity());
        CHECK(sleeping.angular_velocity() == awake.angular_velocity());
    }
    CHECK(most > 0.3);
    CHECK(fast_of(awake).asleep_fraction() == 0.0);
}

TEST_CASE("mixed precision keeps momentum as exactly as double precision") {
    for (const Vec3 together : {Vec3{}, Vec3{3.0, -2.0, 1.0}}) {
        const packing::Packing p = in_mixed_precision(warm_crystal(7, together));
        const auto engine = packing::make_packing_engine(p, 1e-7, 2);
        const Vec3 before = engine->totals().momentum;
        engine->advance(3000);
        double scale = 0.0;
        const std::vector<Vec3> velocity = engine->velocity();
        for (std::size_t i = 0; i < velocity.size(); ++i)
            scale += p.mass[i] * size_of(velocity[i]);
        const double drift = size_of(engine->totals().momentum - before) / scale;
        CHECK_ABSOLUTE(drift, 0.0, 1e-12);
    }
}

TEST_CASE("bodies that move fast together lose no digits of their overlaps in mixed precision") {
    const packing::Packing still = warm_crystal(5, {}), moving = warm_crystal(5, {40, -30, 20});
    const auto exact = packing::make_packing_engine(still, 1e-7, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(moving), 1e-7, 1);
    exact->advance(1000);
    engine->advance(1000);  // by 5.4 mm, more than a diameter; overlaps are 2e-7 m
    CHECK(engine->neighbour_list_builds() == 0);
    std::vector<Vec3> own = engine->velocity();
    for (Vec3& v : own)
        v -= Vec3{40, -30, 20};
    const double difference = largest_difference(own, exact->velocity());
    // Floats without what they leave of a double would have errors of 3e-10 m in the overlaps, a
    // thousandth of them. A double of this speed keeps 7e-15 m/s, 1e-12 of the others.
    CHECK_ABSOLUTE(difference, 0.0, 1e-5);
}

TEST_CASE("crystals keep their energy in mixed precision") {
    check_mixed_close(warm_crystal(6, {}), 1e-7, 2000, 1e-5);
}

TEST_CASE("a packing that settles between walls moves in mixed precision as in double") {
    packing::Packing p = soft_packing("tsuji");
    p.law = law_settings("tsuji", {{"restitution", 0.6}});
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    std::vector<double> radii;
    for (int k = 0; k < 300; ++k)
        radii.push_back(steel_radius * (1.0 - 0.1 * (k % 4)));
    const Vec3 upper{0.03, 0.03, 0.06};
    const auto centres = packing::random_loose(radii, {}, upper, 3, 2);
    for (std::size_t i = 0; i < radii.size(); ++i) {
        p.add(radii[i], steel_mass(radii[i]), centres[i]);
        p.velocity.back() = {0, 0, -5.0 * centres[i].z / upper.z};
    }
    for (const Vec3 normal : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = normal}});
    p.walls.push_back({.shape = packing::Plane{.point = upper, .normal = {-1, 0, 0}}});
    p.walls.push_back({.shape = packing::Plane{.point = upper, .normal = {0, -1, 0}}});
    check_mixed_close(p, 2e-6, 1500, 1e-4);
}

TEST_CASE("boxes that strain and pistons work in mixed precision") {
    packing::Packing p = warm_crystal(5, {});
    p.friction.coefficient = 0.2;
    packing::Straining strain;
    strain.rate = {-20.0, 0, 0};
    strain.shear_rate = {30.0, 0, 0};
    strain.has_piston = {false, false, true};
    strain.stress = {0, 0, 1e5};
    strain.mass = 0.01;
    p.box.strain = strain;
    check_mixed_close(p, 1e-7, 1000, 1e-5);
}

TEST_CASE("particles that come and leave work in mixed precision") {
    packing::Packing p = soft_packing("flores");
    const double radius = 1e-3;
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const double half = add_leaky_floor(p, radius);
    add_pour(p, 60, radius,
             {.lower = {-half + radius, -half + radius, 5e-3},
              .upper = {half - radius, half - radius, 9e-3}},
             4000.0, {0, 0, -1.0});
    p.exits.push_back({packing::Plane{.point = {0, 0, -3e-3}}});
    check_mixed_close(p, 2e-6, 6000, 1e-4);
}

TEST_CASE("adhesion works in mixed precision") {
    packing::Packing p;
    p.species_list = {{.name = "rubber", .elasticity = rubber}};
    p.law = jkr_settings(0.8);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    std::uint64_t number = 0;
    const auto noise = [&] { return 0.05 * normal_number(9, number++); };
    for (const Vec3& centre : packing::centres({.lattice = packing::Lattice::simple_cubic,
                              .cells = {6, 5, 4},
                              .radius = rubber_radius,
                              .overlap = -1e-6})) {
        p.add(rubber_radius, rubber_mass(rubber_radius), centre);
        p.velocity.back() = {noise(), noise(), noise()};
    }
    check_mixed_close(p, 1e-7, 1500, 1e-5);
}

TEST_CASE("mixed precision knows when overlaps are too small for it") {
    // Two steel spheres that overlap by 3e-9 m move together, or one along the other.
    packing::Packing p = steel_packing();
    for (int k = 0; k < 2; ++k)
        p.add(steel_radius, steel_mass(steel_radius), {(2.0 * steel_radius - 3e-9) * k, 0, 0});
    p.velocity[0] = p.velocity[1] = {0, 10, 0};
    const auto together = packing::make_packing_engine(in_mixed_precision(p), 1e-7, 1);
    together->advance(200);
    REQUIRE(together->closed_contacts() == 1);
    CHECK(together->overlap_rounding() < 1e-6);
    p.velocity[1] = {0, 8, 0};
    const auto apart = packing::make_packing_engine(in_mixed_precision(p), 1e-7, 1);
    apart->advance(20);  // by 4e-6 m
    REQUIRE(apart->closed_contacts() == 1);
    CHECK(apart->overlap_rounding() > 1e-4);
    CHECK(packing::make_packing_engine(p, 1e-7, 1)->overlap_rounding() == 0.0);
}

TEST_CASE("of spheres that just touch, mixed precision does not doubt the overlaps") {
    // They move together, and one flies past them, so that the list is built again.
    packing::Packing p = steel_packing();
    for (int k = 0; k < 6; ++k)
        p.add(steel_radius, steel_mass(steel_radius), {2.0 * steel_radius * k, 0.1, 0.3});
    p.velocity = std::vector<packing::Vec3>(6, {0.1, 0.0, -0.3});
    p.add(steel_radius, steel_mass(steel_radius), {0.0, 0.2, 0.0});
    p.velocity.back() = {0.1, 10.0, -0.3};
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), 1e-7, 1);
    engine->advance(20000);
    REQUIRE(engine->neighbour_list_builds() > 1);
    CHECK(engine->overlap_rounding() < 1e-6);
}

TEST_CASE("another precision is another packing") {
    const packing::Packing p = warm_crystal(3, {});
    CHECK(packing::fingerprint(p) != packing::fingerprint(in_mixed_precision(p)));
}

TEST_CASE("mixed precision refuses radii whose torques a float does not hold") {
    packing::Packing tiny = in_mixed_precision(warm_crystal(3, {}));
    tiny.radius[4] = 1e-16;
    CHECK(packing::validate(tiny).find("takes radii from 1e-09 to 1e+09 m, not 1e-16 m") !=
          std::string::npos);
    CHECK_THROWS_AS(packing::make_packing_engine(tiny, 1e-7, 1), std::invalid_argument);
}

}  // namespace beadwave::validation::mixed_packing_test
