// The steps of a box that strains. An advance of many steps joins the end of each with the
// beginning of the next one; one by one they have the same bits.

#include "dissipating_packings.hpp"
#include "largest.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_engines.hpp"
#include "relative.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "simd/instruction_sets.hpp"

#include <cstdint>
#include <vector>

namespace beadwave::validation::straining_steps_test {

using packing::Vec3;

namespace {

constexpr double dt = 4e-7;
constexpr std::int64_t steps = 240;

/// More than one block of spheres in a box that strains.
packing::Packing straining_spheres(bool pistons, bool rough) {
    packing::Packing p = loose_packing("tsuji", sanitised ? 1100 : 2100);
    p.box.strain = straining_packing("tsuji", pistons).box.strain;
    p.skin = 0.05 * steel_radius;
    p.rolling = {};
    if (!rough) p.friction = {};
    return p;
}

struct Traced {
    SavedPacking state;
    std::vector<Vec3> force, velocity;
};

Traced traced_steps(packing::PackingEngine& engine, std::int64_t together) {
    Traced all;
    for (std::int64_t step = 0; step < steps; step += together) {
        packing::ParticleTrace trace{.particles = {3, 700, 1050}, .force = {}, .velocity = {}};
        engine.advance(together, trace);
        all.force.insert(all.force.end(), trace.force.begin(), trace.force.end());
        all.velocity.insert(all.velocity.end(), trace.velocity.begin(), trace.velocity.end());
    }
    all.state = saved(engine);
    return all;
}

void check_grouping(const packing::Packing& p) {
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        INFO(set.name);
        const auto one_by_one = packing::make_packing_engine(p, dt, 1, set),
                   together = packing::make_packing_engine(p, dt, 2, set),
                   unobserved = packing::make_packing_engine(p, dt, 2, set);
        const Traced a = traced_steps(*one_by_one, 1), b = traced_steps(*together, steps);
        unobserved->advance(steps);
        CHECK(one_by_one->neighbour_list_builds() > 0);
        CHECK(a.state == b.state);
        CHECK(a.state == saved(*unobserved));
        CHECK(a.force == b.force);
        CHECK(a.velocity == b.velocity);
        CHECK(a.force.size() == 3 * static_cast<std::size_t>(steps));
    }
}

}  // namespace

TEST_CASE("steps of a box that strains have the same bits together and one by one") {
    for (const bool pistons : {false, true}) {
        for (const bool rough : {false, true}) {
            if (sanitised && pistons != rough) continue;
            packing::Packing p = straining_spheres(pistons, rough);
            INFO("pistons ", pistons, ", friction ", rough);
            check_grouping(p);
            // The box begins to strain in the middle of an advance.
            p.box.strain->start = 100.5 * dt;
            check_grouping(p);
        }
    }
}

TEST_CASE("steps of a box that strains have the same bits in mixed precision" *
          doctest::skip(sanitised)) {
    for (const bool pistons : {false, true}) {
        for (const bool rough : {false, true}) {
            packing::Packing p = straining_spheres(pistons, rough);
            p.precision = packing::Precision::mixed;
            INFO("pistons ", pistons, ", friction ", rough);
            check_grouping(p);
            p.box.strain->start = 100.5 * dt;
            check_grouping(p);
        }
    }
}

/// Independent: the plain engine, with the sums over particles of box_motion.hpp in its own order.
TEST_CASE("joined steps of a box that strains are those of the plain engine") {
    for (const bool pistons : {false, true}) {
        for (const bool rough : {false, true}) {
            INFO("pistons ", pistons, ", friction ", rough);
            const packing::Packing p = straining_spheres(pistons, rough);
            const auto plain = packing::make_plain_packing_engine(p, dt);
            plain->advance(steps);
            for (const simd::InstructionSet& set : simd::instruction_sets()) {
                const auto fast = packing::make_packing_engine(p, dt, 1, set);
                fast->advance(steps);
                const std::vector<Vec3> a = plain->displacement(), b = fast->displacement();
                Largest apart;
                for (std::size_t i = 0; i < a.size(); ++i)
                    apart.enter(size_of(a[i] - b[i]));
                // Rounding of 1e-16 in each step, which contacts enlarge by less than 1e3.
                CHECK(apart < 1e-10 * steel_radius);
                const double work = plain->totals().external_work;
                REQUIRE(work != 0.0);
                // Sums over 2100 particles in another order: at most 2100 roundings of 1.1e-16, if
                // hardly anything cancels. Found: 4e-16.
                CHECK_RELATIVE(work, fast->totals().external_work, 1e-12);
                // Edges of up to 40 radii are rounded in each step: 240 x 40 x 1.1e-16.
                for (std::size_t k = 0; k < packing::Edges::numbers; ++k)
                    CHECK_ABSOLUTE(plain->box().edges.of[k], fast->box().edges.of[k],
                                   1e-12 * steel_radius);
            }
        }
    }
}

}  // namespace beadwave::validation::straining_steps_test
