// Steps of the fast engine leave out pairs that are apart, without changing a bit. Advances of less
// than 48 steps leave none out.

#include "beadwave/laws/catalogue.hpp"
#include "normal_numbers.hpp"
#include "packing_backends.hpp"
#include "packings.hpp"
#include "saved_packings.hpp"
#include "struck_bed.hpp"
#include "tumbling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::validation::packing_near_pairs_test {

using packing::Vec3;

namespace {

packing::PackingEngine engine_of(const packing::Packing& p, double dt, int threads,
                                 packing::ContactRecords records = packing::ContactRecords::none) {
    return fast_engine(p, dt, threads, packing::Sleep::yes, nullptr, records);
}

/// Spheres that roll over each other, in several blocks.
packing::Packing flow(const std::string& law, laws::FrictionLaw friction) {
    packing::Packing p = tumbling(law,
                                  {.law = friction,
                                   .coefficient = 0.3,
                                   .stiffness = 5e6,
                                   .damping = friction == laws::FrictionLaw::linear ? 1.0 : 0.0},
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {9, 9, 15},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 0.3 * steel_radius;
    return p;
}

std::size_t different_numbers(const SavedPacking& a, const SavedPacking& b) {
    std::size_t different = 0;
    REQUIRE(a.size() == b.size());
    for (const auto& [name, numbers] : a) {
        const std::vector<double>& others = b.at(name);
        REQUIRE(numbers.size() == others.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            different +=
                std::bit_cast<std::uint64_t>(numbers[i]) != std::bit_cast<std::uint64_t>(others[i]);
    }
    return different;
}

/// Compares 240 steps at once with the same steps in pieces.
void check_same(const packing::Packing& p, double dt, int threads,
                packing::ContactRecords records = packing::ContactRecords::none) {
    packing::PackingEngine leaves_out = engine_of(p, dt, threads, records),
                           computes_all = engine_of(p, dt, 1, records);
    leaves_out.advance(240);
    for (int piece = 0; piece < 6; ++piece)
        computes_all.advance(40);
    CHECK(different_numbers(saved(leaves_out), saved(computes_all)) == 0);
    CHECK(fast_of(computes_all).left_out() == 0);
    // A tenth of all pairs and steps, or more.
    CHECK(static_cast<double>(fast_of(leaves_out).left_out()) >
          24.0 * static_cast<double>(leaves_out.listed_pairs()));
}

}  // namespace

TEST_CASE("pairs that steps leave out change no bit, for every kind of law") {
    for (const std::string law : {"hertz", "tsuji", "flores", "ma-liu"}) {
        for (const auto friction :
             {laws::FrictionLaw::none, laws::FrictionLaw::linear, laws::FrictionLaw::mindlin,
              laws::FrictionLaw::mindlin_displacement}) {
            packing::Packing p = flow(law, friction);
            if (friction == laws::FrictionLaw::linear) p.rolling = {.coefficient = 0.02};
            INFO(law, " ", static_cast<int>(friction));
            check_same(p, 2e-7, law == "hertz" ? 2 : 1);
        }
    }
}

TEST_CASE("pairs that steps leave out change no bit where no two pairs are alike, nor of works") {
    packing::Packing p = flow("ma-liu", laws::FrictionLaw::mindlin);
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.radius[i] *= 1.0 + 1e-4 * normal_number(4, i);
    check_same(p, 2e-7, 2);
    check_same(p, 2e-7, 2, packing::ContactRecords::dissipation);
}

TEST_CASE("steps leave out all pairs of blocks where none is near") {
    packing::Packing p = steel_packing("tsuji");
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {10, 10, 12},
                    .radius = steel_radius,
                    .overlap = -0.2 * steel_radius});
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = 1e-3 * Vec3{normal_number(1, i), normal_number(2, i), normal_number(3, i)};
    p.skin = 0.3 * steel_radius;
    check_same(p, 2e-7, 1);
}

/// The margin that pairs need is guessed from how they moved; here that changes from one step to
/// the next.
TEST_CASE("pairs that steps leave out change no bit where a bed at rest is struck") {
    const packing::Packing p = struck_bed("hertz");
    packing::PackingEngine leaves_out = engine_of(p, 1e-7, 1), computes_all = engine_of(p, 1e-7, 1);
    leaves_out.advance(400);
    for (int piece = 0; piece < 10; ++piece)
        computes_all.advance(40);
    CHECK(leaves_out.neighbour_list_builds() > 0);
    CHECK(fast_of(leaves_out).left_out() > 0);
    const std::vector<Vec3> velocity = leaves_out.velocity();
    CHECK(std::ranges::count_if(velocity, [](const Vec3& v) { return v.z > 1.0; }) > 4);
    CHECK(different_numbers(saved(leaves_out), saved(computes_all)) == 0);
}

TEST_CASE("pairs that steps leave out change no bit in a box that strains, nor where some leave") {
    packing::Packing p = steel_packing("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const packing::Crystal crystal{.lattice = packing::Lattice::bcc,
                                   .cells = {9, 9, 9},
                                   .radius = steel_radius,
                                   .overlap = -0.02 * steel_radius};
    add_crystal(p, crystal);
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = {normal_number(1, i), normal_number(2, i), normal_number(3, i)};
    p.skin = 0.3 * steel_radius;
    SUBCASE("rates") {
        p.box = {.lower = {}, .upper = period(crystal), .periodic = {true, true, true}};
        p.box.strain = {.rate = {-30.0, 20.0, 0.0}, .shear_rate = {60.0, 0.0, 20.0}};
    }
    SUBCASE("a piston") {
        p.box = {.lower = {}, .upper = period(crystal), .periodic = {true, true, true}};
        p.box.strain = {.rate = {-30.0, 0.0, 0.0},
                        .shear_rate = {60.0, 0.0, 0.0},
                        .has_piston = {false, true, false},
                        .stress = {0.0, 4e4, 0.0},
                        .mass = 2e-3,
                        .damping = 0.05};
    }
    SUBCASE("an exit") {
        p.exits = {{packing::Plane{.point = {0, 0, -0.01 * steel_radius}}}};
    }
    check_same(p, 2e-7, 2);
}

/// Independent: the plain engine, whose lists reach equally far for all.
TEST_CASE("lists reach further for fast particles, and serve longer") {
    const packing::Packing p = struck_bed("tsuji");
    constexpr double dt = 2e-7;
    constexpr std::int64_t steps = 900;
    packing::PackingEngine engine = engine_of(p, dt, 2);
    engine.advance(steps);
    // The ball alone goes this far in skins.
    const double skins = fast_ball * dt * static_cast<double>(steps) / p.skin;
    CHECK(static_cast<double>(engine.neighbour_list_builds()) < 0.6 * skins);
    CHECK(engine.neighbour_list_builds() > 2);
    const auto plain = packing::make_plain_packing_engine(p, dt);
    plain->advance(steps);
    CHECK(static_cast<double>(plain->neighbour_list_builds()) > 0.8 * skins);
    // Rounding, which grows with each collision.
    CHECK(largest_difference(engine.velocity(), plain->velocity()) < 1e-9);
    CHECK(largest_difference(engine.displacement(), plain->displacement()) < 1e-10);

    // A saved state knows for which.
    packing::PackingEngine first = engine_of(p, dt, 1), second = engine_of(p, dt, 2);
    first.advance(400);
    restore(second, 400, saved(first));
    second.advance(steps - 400);
    CHECK(different_numbers(saved(second), saved(engine)) == 0);
}

TEST_CASE("a fast particle that leaves its reach within a step has leapt as far as it did") {
    packing::Packing p = steel_packing("hertz");
    add_crystal(
        p,
        {.lattice = packing::Lattice::simple_cubic, .cells = {2, 2, 30}, .radius = steel_radius});
    p.add(steel_radius, steel_mass(steel_radius), {0, 0, -20.0 * steel_radius});
    // Two radii are the longest reach, so five radii in a step are three too far.
    constexpr double dt = 1e-6;
    p.velocity.back() = {0, 0, 5.0 * steel_radius / dt};
    p.velocity.front() = {0, 0, 0.1};
    p.skin = 0.3 * steel_radius;
    packing::PackingEngine engine = engine_of(p, dt, 1);
    engine.advance(3);
    CHECK(engine.largest_leap() > 2.9 * steel_radius);
}

/// What allows to leave them out.
TEST_CASE("open contacts have no force, and their memory does not change") {
    const laws::Elasticity steel{
        .youngs_modulus = steel_modulus, .poisson_ratio = steel_ratio, .yield_stress = 900e6};
    const laws::Contact contact =
        laws::sphere_contact(steel_radius, 0.45e-3, steel, steel_radius, 0.45e-3, steel);
    int laws_seen = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty() || entry.family == "adhesion") continue;
        const laws::AnyLaw law = laws::make(contact, law_settings(entry.name));
        CAPTURE(entry.name);
        const laws::AnyMemory loaded =
            law.respond(1e-6, -0.3,
                        law.respond(2e-5, 0.5, law.respond(1e-6, 0.7, {}).memory).memory)
                .memory;
        const auto opened = law.respond(-1e-7, -0.2, loaded);
        CHECK(opened.force == 0.0);
        for (const double speed : {-2.0, 0.0, 0.3}) {
            const auto open = law.respond(-1e-6, speed, opened.memory);
            CHECK(open.force == 0.0);
            CHECK(open.memory == opened.memory);
        }
        ++laws_seen;
    }
    CHECK(laws_seen > 40);
}

}  // namespace beadwave::validation::packing_near_pairs_test
