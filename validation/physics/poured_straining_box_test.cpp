// Particles that come into a box that strains and leave it, and boxes that begin to strain during
// the run: paths against closed forms, places, the ledger, bits.

#include "largest.hpp"
#include "packing_engines.hpp"
#include "packing_system/packing_measures.hpp"
#include "poured_packings.hpp"
#include "relative.hpp"
#include "resumed_packings.hpp"
#include "sanitised.hpp"
#include "shared_packings.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace beadwave::validation::poured_straining_box_test {

using packing::Packing;
using packing::PackingTotals;
using packing::Presence;
using packing::Vec3;

namespace {

constexpr double radius = 2e-3;

/// A box along x and y that strains from `start` on. Its edges are linear in time.
struct FlatBox {
    double side;
    packing::Straining strain;

    double strained(double time) const { return std::max(time - strain.start, 0.0); }
    double x(double time) const { return side * (1.0 + strain.rate.x * strained(time)); }
    double y(double time) const { return side * (1.0 + strain.rate.y * strained(time)); }
    double xy(double time) const { return side * strain.shear_rate.x * strained(time); }

    /// The affine velocity at a place from the lower corner.
    Vec3 affine(const Vec3& from_lower, double time) const {
        const double s_y = from_lower.y / y(time), s_x = (from_lower.x - xy(time) * s_y) / x(time);
        return {side * (strain.rate.x * s_x + strain.shear_rate.x * s_y),
                side * strain.rate.y * s_y, 0.0};
    }
    packing::Box box() const {
        return {.lower = {-0.01, 0.02, 0.0},
                .upper = {side - 0.01, side + 0.02, 1.0},
                .periodic = {true, true, false},
                .strain = strain};
    }
};

std::vector<Vec3> positions(const Packing& p, const packing::PackingEngine& engine) {
    std::vector<Vec3> all = engine.displacement();
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] += p.position[i];
    return all;
}

/// Rough spheres that rain on a floor; a drain takes those that come into it.
Packing sheared_heap(const std::string& law, double start) {
    Packing p = soft_packing(law);
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    p.rolling = {.coefficient = 0.05, .twisting_coefficient = 0.02, .damping_ratio = 0.1};
    const FlatBox flat{12.0 * radius,
                       {.rate = {-1.5, 0.6, 0.0}, .shear_rate = {8.0, 0.0, 0.0}, .start = start}};
    p.box = flat.box();
    const Vec3 lower = p.box.lower + Vec3{0.0, 0.0, 6.0 * radius},
               upper = lower + Vec3{flat.side, flat.side, 10.0 * radius};
    add_pour(p, 150, radius, {lower, upper}, 3000.0, {0.1, 0.0, -1.0});
    add_pour(p, 60, 0.8 * radius, {lower, upper}, 0.0, {0.0, -0.1, -0.5}, 7);
    p.walls.push_back({.shape = packing::Plane{}});
    const Vec3 drain = p.box.lower + Vec3{2.0 * radius, 2.0 * radius, 0.0};
    p.exits.push_back(
        {packing::Region{drain, drain + Vec3{4.0 * radius, 3.0 * radius, 2.0 * radius}}});
    p.skin = 0.3 * radius;
    return p;
}

/// Spheres that fill a box without gravity, until its pistons press them.
Packing filled_box(double start, const Vec3& velocity) {
    Packing p = soft_packing("tsuji");
    p.gravity = {};
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.3};
    const double side = 12.0 * radius;
    p.box = {.lower = {},
             .upper = {side, side, side},
             .periodic = {true, true, true},
             .strain = packing::Straining{.shear_rate = {3.0, 0.0, 0.0},
                                          .has_piston = {true, true, true},
                                          .stress = {2e3, 2e3, 3e3},
                                          .mass = 0.05,
                                          .damping = 20.0,
                                          .start = start}};
    add_pour(p, 150, radius, {{}, p.box.upper}, 0.0, velocity);
    p.skin = 0.3 * radius;
    return p;
}

}  // namespace

TEST_CASE("poured particles that touch nothing follow the affine motion from where they came") {
    constexpr double dt = 1e-5;
    const Vec3 own{0.3, -0.2, -0.5};
    for (const double start : {0.0, 0.0253}) {  // a step, but none before which particles come
        const FlatBox flat{
            0.2, {.rate = {-2.0, 1.5, 0.0}, .shear_rate = {9.0, 0.0, 0.0}, .start = start}};
        Packing p = soft_packing("hertz");
        p.box = flat.box();
        const Vec3 lower = p.box.lower + Vec3{0.0, 0.0, 1.0};
        const packing::Region region{lower, lower + Vec3{0.15, 0.1, 0.3}};
        add_pour(p, 60, 1e-3, region, 1000.0, own);
        for (const EngineMaker& make : engine_makers) {
            const auto engine = make(p, dt);
            engine->advance(5000);
            REQUIRE(engine->closed_contacts() == 0);
            const std::vector<Vec3> now = positions(p, *engine), velocity = engine->velocity();
            double energy = 0.0;
            Largest farthest;
            std::size_t came = 0, before = 0;
            for (std::size_t i = 0; i < p.particles(); ++i) {
                INFO(i);
                if (engine->population().presence(i) != Presence::inside) {
                    CHECK(velocity[i] == Vec3{});
                    continue;
                }
                ++came;
                const double entry = static_cast<double>(engine->population().entry_step(i)) * dt,
                             end = 5000 * dt;
                // Without forces along x and y its velocity changes only when the box starts.
                const double turn = std::max(entry, start);
                before += entry < start ? 1 : 0;
                const Vec3 at_turn = now[i] - (end - turn) * velocity[i];
                const Vec3 from = at_turn - p.box.lower;
                const Vec3 expected = own + flat.affine(from, turn);
                CHECK_ABSOLUTE(velocity[i].x, expected.x, 1e-11);
                CHECK_ABSOLUTE(velocity[i].y, expected.y, 1e-11);
                CHECK_ABSOLUTE(velocity[i].z, own.z - 9.81 * (end - entry), 1e-11);
                const Vec3 at_entry = at_turn - (turn - entry) * own;
                CHECK(at_entry.x >= region.lower.x + 1e-3 - 1e-12);
                CHECK(at_entry.x <= region.upper.x - 1e-3 + 1e-12);
                CHECK(at_entry.y >= region.lower.y + 1e-3 - 1e-12);
                CHECK(at_entry.y <= region.upper.y - 1e-3 + 1e-12);
                farthest.enter(std::abs(expected.x - own.x));
                const Vec3 u = velocity[i] - flat.affine(now[i] - p.box.lower, end);
                energy += 0.5 * p.mass[i] * dot(u, u);
            }
            CHECK(came == 50);
            CHECK((before > 20) == (start > 0.0));
            CHECK(farthest > 0.3);
            CHECK_RELATIVE(engine->totals().translational, energy, 1e-10);
        }
    }
}

TEST_CASE("particles come where they touch no image in a box that is sheared and shortened") {
    // At the end the tilt is 2.4 edges and the box is shorter than the region.
    constexpr double dt = 1e-5;
    const FlatBox flat{16.0 * radius, {.rate = {-4.0, -3.0, 0.0}, .shear_rate = {20.0, 0.0, 0.0}}};
    Packing p = soft_packing("tsuji");
    p.gravity = {};
    p.box = flat.box();
    const Vec3 side{flat.side, flat.side, 10.0 * radius};
    add_pour(p, 400, radius, {p.box.lower, p.box.lower + side}, 4000.0, {});
    for (const EngineMaker& make : engine_makers) {
        const auto engine = make(p, dt);
        std::size_t came = 0;
        double nearest = 1.0;
        for (int look = 0; look < 600; ++look) {
            engine->advance(1);  // those that come did it before this step
            const double time = static_cast<double>(engine->step()) * dt;
            const std::vector<Vec3> now = positions(p, *engine);
            for (std::size_t i = 0; i < p.particles(); ++i) {
                if (engine->population().entry_step(i) != engine->step() - 1) continue;
                ++came;
                for (std::size_t j = 0; j < p.particles(); ++j) {
                    if (engine->population().presence(j) != Presence::inside) continue;
                    for (int ny = -3; ny <= 3; ++ny) {
                        for (int nx = -20; nx <= 20; ++nx) {
                            if (j == i && nx == 0 && ny == 0) continue;
                            const Vec3 image{nx * flat.x(time) + ny * flat.xy(time),
                                             ny * flat.y(time), 0.0};
                            nearest = std::min(nearest, size_of(now[j] + image - now[i]));
                        }
                    }
                }
            }
            engine->advance(19);
        }
        CHECK(came > 60);
        CHECK_RELATIVE(engine->box().edges.of[3] / engine->box().edges.of[0], 2.4 / 0.52, 1e-9);
        // They approach by the affine motion of one step, 20 / s over two radii.
        CHECK(nearest > 2.0 * radius * (1.0 - 1e-3));
        CHECK(nearest < 2.2 * radius);
    }
}

TEST_CASE(
    "the ledger of a heap that is poured, sheared and drained in a box that strains balances" *
    doctest::skip(sanitised)) {
    for (const EngineMaker& make : engine_makers) {
        for (const std::string law : {"tsuji", "thornton", "flores"}) {
            for (const double start : {0.0, 0.03}) {
                INFO(law, " ", start);
                const Packing p = sheared_heap(law, start);
                const auto engine = make(p, 4e-6);
                engine->advance(20000);
                const PackingTotals now = engine->totals();
                CHECK(engine->population().count(Presence::left) > 5);
                CHECK(engine->population().count(Presence::inside) > 100);
                const double scale =
                    now.translational + std::abs(now.external_work) + std::abs(now.inflow_energy);
                CHECK(now.dissipated_normal > 0.05 * scale);
                CHECK(now.dissipated_tangential > 0.05 * scale);
                CHECK_ABSOLUTE(energy_of(now) - now.inflow_energy, 0.0, 1e-6 * scale);
            }
        }
    }
}

TEST_CASE("pistons that start after particles have filled the box reach their stress" *
          doctest::skip(sanitised)) {
    for (const EngineMaker& make : engine_makers) {
        // Without momentum: the stress of pistons has that of a common motion, too.
        Packing p = filled_box(0.02, {});
        p.box.strain->shear_rate = {};
        const auto engine = make(p, 4e-6);
        engine->advance(5000);
        CHECK(engine->box().edges.of == packing::Edges::of_box(p.box).of);
        CHECK(engine->totals().external_work == 0.0);
        engine->advance(60000);
        const PackingTotals now = engine->totals();
        const double scale =
            now.translational + std::abs(now.external_work) + std::abs(now.inflow_energy);
        CHECK(now.external_work > 0.0);
        CHECK_ABSOLUTE(energy_of(now) - now.inflow_energy, 0.0, 1e-6 * scale);
        const observers::Tensor stress = observers::stress(observers::MeasuredState(p, *engine));
        // Within 0.14 %: it still vibrates.
        CHECK_RELATIVE(-stress[0], 2e3, 4e-3);
        CHECK_RELATIVE(-stress[4], 2e3, 4e-3);
        CHECK_RELATIVE(-stress[8], 3e3, 4e-3);
    }
}

TEST_CASE("both engines pour into a box that strains alike") {
    for (const Packing& p : {sheared_heap("tsuji", 0.01), filled_box(0.008, {0.05, 0.1, -0.2})}) {
        const auto plain = engine_makers[0](p, 4e-6), fast = engine_makers[1](p, 4e-6);
        for (int part = 0; part < 8; ++part) {
            plain->advance(625);
            fast->advance(625);
            // Rounding grows by collisions: at most by a few orders of magnitude here.
            CHECK_ABSOLUTE(largest_difference(fast->velocity(), plain->velocity()), 0.0, 1e-7);
            CHECK_ABSOLUTE(largest_difference(fast->displacement(), plain->displacement()), 0.0,
                           1e-9);
            CHECK_RELATIVE(fast->totals().inflow_energy, plain->totals().inflow_energy, 1e-9);
            CHECK_ABSOLUTE(fast->totals().external_work, plain->totals().external_work,
                           1e-9 * std::abs(fast->totals().inflow_energy));
        }
        CHECK(fast->population().count(Presence::inside) > 80);
    }
}

TEST_CASE("threads and resumption change no bit of a box that starts to strain under a pour") {
    constexpr double dt = 4e-6;
    check_resumed_bits(sheared_heap("thornton", 0.02), dt, {4813, 5000, 5107}, 5300);
    check_resumed_bits(filled_box(0.008, {0.05, 0.1, -0.2}), dt, {1813, 2000, 2107}, 2300);
}

TEST_CASE("ranks that share a box pour into it alike while it strains") {
    Packing p = sheared_heap("tsuji", 2e-3);
    add_pour(p, 3000, 0.4 * radius,
             {p.box.lower + Vec3{0, 0, 2.0 * radius}, p.box.lower + Vec3{0.02, 0.02, 0.06}}, 1e6,
             {0, 0, -1.0}, 5);
    const auto found = sharing::check_same(
        {p, 4e-6, {10, 490, 300, 430}, {5, 0, 102}, sharing::records_of(p)}, {2, 3});
    CHECK(found.at("numbers").rbegin()[1] > 3);  // rebuilds
}

TEST_CASE("what has no meaning beside a pour in a box that strains is refused") {
    Packing p = sheared_heap("tsuji", 0.0);
    CHECK(packing::validate(p).empty());
    p.box.strain->start = -1.0;
    CHECK(packing::validate(p) == "box: start is not a finite number, 0 or larger");
    // Side by side along an axis that strains: their images meet.
    p = sheared_heap("tsuji", 0.0);
    p.pours.front().region.upper.x = p.box.lower.x + 5.0 * radius;
    p.pours.pop_back();
    p.exits.front().place = packing::Region{p.box.lower + Vec3{6.0 * radius, 0.0, 0.0},
                                            p.box.lower + Vec3{0.02, 0.02, 1.0}};
    CHECK(packing::validate(p) ==
          "exit 0: takes particles out of the region in which particles 0 to 149 come; expected it "
          "elsewhere");
    p.box.strain.reset();
    CHECK(packing::validate(p).empty());
}

}  // namespace beadwave::validation::poured_straining_box_test
