// The fast engine of packings is compared with the plain one, and with itself for other numbers of
// threads and interrupted runs.

#include "normal_numbers.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "resumed_packings.hpp"
#include "saved_packings.hpp"
#include "tumbling.hpp"

#include <cmath>
#include <string>

namespace beadwave::validation::fast_packing_test {

using packing::Vec3;

namespace {

packing::Packing tumble(const std::string& law, laws::FrictionLaw friction) {
    return tumbling(law,
                    {.law = friction,
                     .coefficient = 0.3,
                     .stiffness = 5e6,
                     .damping = friction == laws::FrictionLaw::linear ? 1.0 : 0.0},
                    {.lattice = packing::Lattice::bcc,
                     .cells = {6, 5, 12},
                     .origin = {0, 0, steel_radius},
                     .radius = steel_radius});
}

}  // namespace

TEST_CASE("the fast engine of packings gives the results of the plain one for every law") {
    for (const laws::Entry& entry : laws::catalogue()) {
        if (entry.make == nullptr) continue;
        const packing::Packing p = tumble(entry.name, laws::FrictionLaw::mindlin);
        const auto plain = packing::make_plain_packing_engine(p, 1e-7);
        const auto fast = packing::make_packing_engine(p, 1e-7, 1);
        plain->advance(60);
        fast->advance(60);
        INFO(entry.name);
        CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-9);
        CHECK_ABSOLUTE(largest_difference(fast->angular_velocity(), plain->angular_velocity()), 0.0,
                       1e-9);
        const packing::PackingTotals a = fast->totals(), b = plain->totals();
        const double scale = b.translational + b.rotational;
        CHECK_ABSOLUTE(a.translational, b.translational, 1e-9 * scale);
        CHECK_ABSOLUTE(a.rotational, b.rotational, 1e-9 * scale);
        CHECK_ABSOLUTE(a.stored_normal, b.stored_normal, 1e-9 * scale);
        CHECK_ABSOLUTE(a.stored_tangential, b.stored_tangential, 1e-9 * scale);
        CHECK_ABSOLUTE(a.dissipated_normal, b.dissipated_normal, 1e-9 * scale);
        CHECK_ABSOLUTE(a.dissipated_tangential, b.dissipated_tangential, 1e-9 * scale);
        CHECK_ABSOLUTE(a.external_work, b.external_work, 1e-9 * scale);
        CHECK(fast->contacts().size() == plain->contacts().size());
    }
}

/// Both engines over 300 steps with new lists.
void compare(const packing::Packing& p, const simd::InstructionSet& set) {
    const auto plain = packing::make_plain_packing_engine(p, 2e-7);
    const auto fast = packing::make_packing_engine(p, 2e-7, 1, set);
    packing::ParticleTrace a{.particles = {5, 400}, .force = {}, .velocity = {}}, b = a;
    plain->advance(300, b);
    fast->advance(300, a);
    CHECK(fast->neighbour_list_builds() > 0);
    CHECK(fast->displacement()[5] == Vec3{});
    CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-9);
    CHECK_ABSOLUTE(largest_difference(fast->angular_velocity(), plain->angular_velocity()), 0.0,
                   1e-9);
    const packing::PackingTotals expected = plain->totals();
    const double scale = expected.translational + expected.rotational;
    CHECK((expected.dissipated_rolling > 0.0) == p.rolling.acts());
    CHECK_ABSOLUTE(fast->totals().dissipated_rolling, expected.dissipated_rolling, 1e-9 * scale);
    CHECK_ABSOLUTE(largest_difference(a.force, b.force), 0.0, 1e-8);
    CHECK_ABSOLUTE(largest_difference(a.velocity, b.velocity), 0.0, 1e-9);
}

TEST_CASE(
    "the fast engine gives the results of the plain one on every instruction set, with list "
    "rebuilds") {
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin,
              laws::FrictionLaw::mindlin_displacement}) {
            for (const bool rolls : {false, true}) {
                packing::Packing p = tumble("flores", friction);
                if (rolls)
                    p.rolling = {
                        .coefficient = 0.02, .twisting_coefficient = 0.01, .damping_ratio = 0.2};
                p.skin = 2e-5;
                INFO(set.name, " ", static_cast<int>(friction), " ", rolls);
                compare(p, set);
            }
        }
    }
}

TEST_CASE("the fast engine gives the results of the plain one where no two pairs are alike") {
    packing::Packing p = tumble("flores", laws::FrictionLaw::mindlin);
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const double ratio = 1.0 + 1e-4 * normal_number(4, i);
        p.radius[i] *= ratio;
        p.mass[i] *= ratio * ratio * ratio;
        p.inertia[i] *= std::pow(ratio, 5);
    }
    p.skin = 2e-5;
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        for (const bool rolls : {false, true}) {
            if (rolls) p.rolling = {.coefficient = 0.02, .twisting_coefficient = 0.01};
            INFO(set.name, " ", rolls);
            compare(p, set);
            p.rolling = {};
        }
    }
}

TEST_CASE("threads, interruptions and resumption change no bit of a packing") {
    packing::Packing p = tumble("ma-liu", laws::FrictionLaw::mindlin);
    add_crystal(p, {.lattice = packing::Lattice::fcc,
                    .cells = {4, 10, 8},
                    .origin = {0, 0.2, steel_radius},
                    .radius = steel_radius});
    p.rolling = {.coefficient = 0.02};
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
        more->advance(376);
        again->advance(376);
        for (const auto* engine : {more.get(), again.get()}) {
            check_same_state(*engine, *one);
            CHECK(engine->totals().dissipated_rolling == one->totals().dissipated_rolling);
        }
    }
}

TEST_CASE("particles that move together cause no list rebuild, however fast they are") {
    packing::Packing p = steel_packing("hertz");
    for (int i = 0; i < 40; ++i) {
        p.add(steel_radius, steel_mass(steel_radius), {3.0 * steel_radius * i, 0, 0});
        p.velocity.back() = {0, 30.0, -40.0};
    }
    p.gravity = {0, 0, -9.81};
    p.skin = 0.1 * steel_radius;
    const auto engine = packing::make_packing_engine(p, 1e-6, 1);
    engine->advance(2000);  // 100 mm, more than 400 skins
    CHECK(engine->neighbour_list_builds() == 0);
    // One of them is faster, by one skin in 240 steps.
    p.velocity[7].z = -41.0;
    const auto split = packing::make_packing_engine(p, 1e-6, 1);
    split->advance(2000);
    CHECK(split->neighbour_list_builds() == 8);
}

}  // namespace beadwave::validation::fast_packing_test
