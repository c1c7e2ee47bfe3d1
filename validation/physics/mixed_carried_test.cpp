// What particles carry, and bonds, in mixed precision against double precision.

#include "all_carry.hpp"
#include "mixed_packings.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "torn_crystal.hpp"
#include "tumbling.hpp"

#include <string>

namespace beadwave::validation::mixed_carried_test {

using packing::Vec3;

namespace {

packing::Packing carrying_tumble(const std::string& law) {
    packing::Packing p = tumbling(law, {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3},
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {8, 7, 12},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 2e-5;
    let_all_carry(p);
    return p;
}

/// Spheres that never touch: a bonded row that tumbles, and one of each thing that is carried.
packing::Packing without_contacts() {
    packing::Packing p = steel_packing();
    const Vec3 spin{300.0, -200.0, 500.0}, centre{5e-3, 0, 0};
    for (std::size_t i = 0; i < 4; ++i) {
        p.add(1e-3, steel_mass(1e-3), {2.1e-3 * static_cast<double>(i), 0, 0});
        p.velocity[i] = cross(spin, p.position[i] - centre) + Vec3{0.3, 0.1, -0.2};
        p.angular_velocity[i] = spin;
        if (i > 0) {
            p.elements.bonds.push_back({.first = i - 1,
                                        .second = i,
                                        .radius_factor = 0.8,
                                        .youngs_modulus = 2e9,
                                        .stiffness_ratio = 2.5});
        }
    }
    for (std::size_t i = 4; i < 8; ++i) {
        p.add(1e-3, steel_mass(1e-3), {1e-2 * static_cast<double>(i), 0.05, 0});
        p.velocity[i] = {0.3, -0.1, 0.2};
        p.angular_velocity[i] = {10.0, 20.0, -5.0};
    }
    packing::Elements& all = p.elements;
    all.foundations.push_back({4, {.stiffness = 5e3, .cubic = 1e11, .damping = 0.3}, 2e-6});
    all.resonators.push_back({5, 1e-5, {.stiffness = 4e3, .damping = 0.01}});
    all.forces = {{stepping::ForceSignal::sine(2e3, 0.1), stepping::ForceSignal::constant(0.2),
                   stepping::ForceSignal::constant(0.0)}};
    all.loads.push_back({6, 0});
    all.motions = {{.along = {stepping::Drive::sine(700.0, 2e-5), std::nullopt, std::nullopt},
                    .rotates = true}};
    p.drive(7, 0);
    return p;
}

}  // namespace

TEST_CASE("what touches nothing moves in mixed precision to the bit as in double precision") {
    const packing::Packing p = without_contacts();
    const auto exact = packing::make_packing_engine(p, 1e-7, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), 1e-7, 1);
    for (int look = 0; look < 6; ++look) {
        exact->advance(look % 3 == 1 ? 1 : 997);
        engine->advance(look % 3 == 1 ? 1 : 997);
        CHECK(engine->displacement() == exact->displacement());
        CHECK(engine->velocity() == exact->velocity());
        CHECK(engine->angular_velocity() == exact->angular_velocity());
        CHECK(energy_of(engine->totals()) == energy_of(exact->totals()));
        CHECK(engine->elements().drive_forces() == exact->elements().drive_forces());
        CHECK(engine->elements().numbers() == exact->elements().numbers());
    }
    CHECK(exact->neighbour_list_builds() > 0);
    CHECK(exact->totals().stored_elements > 0.0);
}

TEST_CASE("a crystal in which all carry something moves in mixed precision as in double") {
    for (const std::string law : {"hertz", "tsuji", "ma-liu"}) {
        CAPTURE(law);
        const packing::Packing p = carrying_tumble(law);
        check_mixed_close(p, 2e-7, 300, 2e-6);
        const auto exact = packing::make_packing_engine(p, 2e-7, 1);
        packing::ParticleTrace b{.particles = {5, 7, 308}, .force = {}, .velocity = {}};
        exact->advance(300, b);
        for (const simd::InstructionSet& set : simd::instruction_sets()) {
            INFO(set.name);
            const auto engine = packing::make_packing_engine(in_mixed_precision(p), 2e-7, 1, set);
            packing::ParticleTrace a = b;
            engine->advance(300, a);
            CHECK(engine->neighbour_list_builds() > 0);
            CHECK_ABSOLUTE(largest_difference(a.force, b.force), 0.0, 1e-5);
            CHECK_ABSOLUTE(largest_difference(a.velocity, b.velocity), 0.0, 2e-6);
            CHECK_ABSOLUTE(largest_difference(engine->elements().drive_forces(),
                                              exact->elements().drive_forces()),
                           0.0, 1e-5);
            CHECK_ABSOLUTE(largest_difference(engine->elements().drive_torques(),
                                              exact->elements().drive_torques()),
                           0.0, 1e-5);
            // A prescribed motion is that of double precision to the bit.
            std::size_t driven = 0;
            for (const packing::DrivenParticle& each : p.elements.driven) {
                const packing::PrescribedMotion& drive = p.elements.motions[each.motion];
                if (drive.turning) {
                    // But for the rounding of R w / R.
                    const Vec3 w = packing::driven_angular_velocity(drive, 300 * 2e-7);
                    CHECK_RELATIVE(engine->motion(each.particle).angular_velocity.y, w.y, 1e-14);
                    CHECK_RELATIVE(engine->motion(each.particle).angular_velocity.z, w.z, 1e-14);
                }
                if (!drive.is_complete(p.dimension)) continue;
                CHECK(engine->displacement()[each.particle] ==
                      exact->displacement()[each.particle]);
                ++driven;
            }
            CHECK(driven > 0);
        }
    }
}

TEST_CASE("bonds break in mixed precision as in double") {
    const packing::Packing p = torn_crystal();
    check_mixed_close(p, 2e-7, 3000, 1e-5);
    const auto exact = packing::make_packing_engine(p, 2e-7, 1);
    const auto engine = packing::make_packing_engine(in_mixed_precision(p), 2e-7, 2);
    exact->advance(3000);
    engine->advance(3000);
    const auto &a = exact->elements().bonds().states(), &b = engine->elements().bonds().states();
    std::size_t broken = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        CHECK(a[k].broken_at == b[k].broken_at);
        broken += a[k].intact() ? 0 : 1;
    }
    CHECK(broken > 3);
    CHECK(broken < a.size());
}

TEST_CASE(
    "threads, interruptions and resumption change no bit of what particles carry in mixed "
    "precision") {
    packing::Packing p = in_mixed_precision(carrying_tumble("tsuji"));
    p.box = {};  // bonds need it
    for (std::size_t i = 0; i + 1 < p.particles(); i += 5) {
        if (p.is_fixed(i) && p.is_fixed(i + 1)) continue;
        p.elements.bonds.push_back({.first = i,
                                    .second = i + 1,
                                    .radius_factor = 0.5,
                                    .youngs_modulus = 5e8,
                                    .stiffness_ratio = 2.0});
    }
    check_mixed_bits(p, 2e-7);
}

}  // namespace beadwave::validation::mixed_carried_test
