// Packings on a device: its code, compiled for the host, has the bits of the fast engine with AVX2,
// and so has a graphics processor where BEADWAVE_TEST_GPU is set.

#include "device/device.hpp"
#include "normal_numbers.hpp"
#include "packing/device/missing_on_devices.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing_system/packing_simulation.hpp"
#include "packings.hpp"
#include "poured_packings.hpp"
#include "resumed_packings.hpp"
#include "running/device_lost.hpp"
#include "sanitised.hpp"
#include "saved_packings.hpp"
#include "struck_bed.hpp"
#include "tumbling.hpp"
#include "turning_drum.hpp"

#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

namespace beadwave::validation::packing_device_test {

using packing::Place;
using packing::Vec3;

namespace {

/// The instruction set whose operations devices have; null: this processor lacks it.
const simd::InstructionSet* avx2() {
    for (const simd::InstructionSet& set : simd::instruction_sets())
        if (set.name == std::string("AVX2")) return &set;
    return nullptr;
}

std::vector<Place> places() {
    std::vector<Place> all{Place::twin};
    if (std::getenv("BEADWAVE_TEST_GPU") != nullptr) all.push_back(Place::gpu);
    return all;
}

packing::Packing on(packing::Packing p, Place place) {
    p.place = place;
    return p;
}

/// The first number of two states that differs in its bits; empty: none. The zeros of entries that
/// fill blocks up may differ in their sign: a device does not have these entries.
std::string difference(const SavedPacking& a, const SavedPacking& b) {
    if (a.size() != b.size()) return "columns";
    for (const auto& [name, values] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second.size() != values.size()) return name;
        for (std::size_t k = 0; k < values.size(); ++k) {
            const bool of_entry = name.starts_with("sliding") || name.starts_with("rolling_") ||
                                  name.starts_with("memory") || name.starts_with("tangential");
            if (of_entry && values[k] == 0.0 && other->second[k] == 0.0) continue;
            if (std::bit_cast<std::uint64_t>(values[k]) !=
                std::bit_cast<std::uint64_t>(other->second[k]))
                return fmt::format("{}[{}] of {}: {:a} and {:a}", name, k, values.size(), values[k],
                                   other->second[k]);
        }
    }
    return {};
}

/// Runs both, in two parts, and compares all that a checkpoint has.
void check_same_bits(const packing::Packing& p, double dt, std::int64_t steps,
                     std::int64_t rebuilds, const std::vector<int>& all_threads = {1, 3}) {
    const simd::InstructionSet* const set = avx2();
    if (set == nullptr) return;
    const auto blocks = packing::make_packing_engine(p, dt, 1, *set);
    std::vector<std::size_t> traced{3, 0, 3};
    packing::ParticleTrace expected{.particles = traced, .force = {}, .velocity = {}};
    blocks->advance(steps / 3, expected);
    blocks->advance(steps - steps / 3);
    REQUIRE(blocks->neighbour_list_builds() >= rebuilds);
    REQUIRE(blocks->closed_contacts() > 0);
    for (const Place place : places()) {
        CAPTURE(static_cast<int>(place));
        for (const int threads : all_threads) {
            const auto engine = packing::make_packing_engine(on(p, place), dt, threads, *set);
            packing::ParticleTrace trace{.particles = traced, .force = {}, .velocity = {}};
            engine->advance(steps / 3, trace);
            engine->advance(steps - steps / 3);
            CHECK(difference(saved(*engine), saved(*blocks)) == "");
            CHECK(trace.force == expected.force);
            CHECK(trace.velocity == expected.velocity);
            CHECK(engine->neighbour_list_builds() == blocks->neighbour_list_builds());
            CHECK(engine->deepest().depth == blocks->deepest().depth);
            CHECK(engine->deepest().first == blocks->deepest().first);
            CHECK(engine->totals().external_work == blocks->totals().external_work);
        }
    }
}

packing::Packing tumble(const std::string& law, const laws::Friction& friction,
                        std::int64_t cells = 8) {
    packing::Packing p = tumbling(law, friction,
                                  {.lattice = packing::Lattice::bcc,
                                   .cells = {6, 5, cells},
                                   .origin = {0, 0, steel_radius},
                                   .radius = steel_radius});
    p.skin = 2e-5;
    return p;
}

laws::Friction friction_of(laws::FrictionLaw law) {
    return {.law = law,
            .coefficient = law == laws::FrictionLaw::none ? 0.0 : 0.3,
            .stiffness = 5e6,
            .damping = law == laws::FrictionLaw::linear ? 1.0 : 0.0};
}

}  // namespace

TEST_CASE("a device has the bits of the fast engine for every normal law that it has" *
          doctest::skip(sanitised)) {
    std::size_t laws_of_device = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        CAPTURE(entry.name);
        packing::Packing p = tumble("hertz", friction_of(laws::FrictionLaw::mindlin), 2);
        p.law = law_settings(entry.name);
        std::string missing;
        try {
            missing = packing::law_missing_on_devices(packing::PairLaws(p).normal(), p.law);
        } catch (const std::exception&) {
            continue;  // not of spheres of steel
        }
        if (!missing.empty()) continue;
        ++laws_of_device;
        check_same_bits(p, 2e-7, 90, 0, {1});
    }
    CHECK(laws_of_device >= 30);
}

TEST_CASE("a device has the bits of the fast engine for every tangential law") {
    for (const auto law : {laws::FrictionLaw::none, laws::FrictionLaw::linear,
                           laws::FrictionLaw::mindlin, laws::FrictionLaw::mindlin_displacement}) {
        for (const bool rolls : {false, true}) {
            if (sanitised && !rolls) continue;
            CAPTURE(static_cast<int>(law));
            CAPTURE(rolls);
            packing::Packing p = tumble("hertz", friction_of(law));
            if (rolls)
                p.rolling = {
                    .coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
            check_same_bits(p, 2e-7, 240, 1);
        }
    }
}

TEST_CASE("a device builds the lists of the fast engine, in many blocks") {
    packing::Packing p = tumble("tsuji", friction_of(laws::FrictionLaw::mindlin), 60);
    p.rolling = {.coefficient = 0.1, .twisting_coefficient = 0.05, .damping_ratio = 0.2};
    for (std::size_t i = 0; i < p.particles(); ++i)
        if (!p.is_fixed(i)) p.velocity[i].x += 30.0;  // across the sides of the box
    REQUIRE(p.particles() > 3000);
    check_same_bits(p, 2e-7, 240, 4);
}

TEST_CASE("the host builds lists in which particles have too many neighbours for a device") {
    packing::Packing p = steel_packing("flores");
    p.friction = friction_of(laws::FrictionLaw::mindlin);
    add_crystal(p, {.lattice = packing::Lattice::fcc,
                    .cells = {4, 4, 5},
                    .radius = steel_radius,
                    .overlap = -0.2 * steel_radius});
    for (std::size_t i = 0; i < p.particles(); ++i)
        p.velocity[i] = 15.0 * Vec3{normal_number(8, 3 * i), normal_number(8, 3 * i + 1),
                                    normal_number(8, 3 * i + 2)};
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -steel_radius}}});
    p.skin = 3.0 * steel_radius;
    check_same_bits(p, 5e-7, 400, 1);
}

TEST_CASE("a device has the bits of the fast engine in a turning drum") {
    packing::Packing p = turning_drum("tsuji");
    p.skin = 0.1 * steel_radius;
    check_same_bits(p, 2e-7, 600, 1);
}

TEST_CASE("a device has the bits of the fast engine in the head of a wave") {
    for (const auto law : {laws::FrictionLaw::none, laws::FrictionLaw::mindlin}) {
        packing::Packing p = steel_packing("hertz");
        p.friction = friction_of(law);
        add_crystal(p, {.lattice = packing::Lattice::fcc,
                        .cells = {3, 3, 24},
                        .origin = {0, 0, 0},
                        .radius = steel_radius});
        for (std::size_t i = 0; i < p.particles(); ++i)
            if (p.position[i].z < 0.5 * steel_radius) p.velocity[i] = {0.01, 0.02, 0.3};
        check_same_bits(p, 5e-7, 100, 0);
    }
}

TEST_CASE("a device has the bits of the fast engine for pairs of which no two are alike") {
    packing::Packing p = tumble("flores", friction_of(laws::FrictionLaw::linear));
    for (std::size_t i = 0; i < p.particles(); ++i) {
        p.radius[i] *= 1.0 + 1e-4 * normal_number(4, i);
        p.mass[i] = steel_mass(p.radius[i]);
        p.inertia[i] = 0.4 * p.mass[i] * p.radius[i] * p.radius[i];
    }
    check_same_bits(p, 2e-7, 240, 1);
}

TEST_CASE("particles that come to a device and leave it have the bits of the fast engine") {
    const simd::InstructionSet* const set = avx2();
    if (set == nullptr) return;
    constexpr double radius = 1e-3, dt = 8e-6;
    constexpr std::int64_t steps = 7000;
    packing::Packing p = soft_packing("tsuji");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.4};
    const double half = add_leaky_floor(p, radius);
    add_pour(p, 60, radius, {{-half, -half, 4.0 * radius}, {half, half, 14.0 * radius}}, 2000.0,
             {0.1, 0.0, -1.0});
    p.exits.push_back({packing::Plane{.point = {0, 0, 0.2 * radius}}});
    p.skin = 0.3 * radius;
    const auto blocks = packing::make_packing_engine(p, dt, 1, *set);
    blocks->advance(steps);
    REQUIRE(blocks->population().count(packing::Presence::left) > 3);
    REQUIRE(blocks->closed_contacts() > 0);
    for (const Place place : places()) {
        const auto engine = packing::make_packing_engine(on(p, place), dt, 1, *set);
        engine->advance(steps / 3);
        engine->advance(steps - steps / 3);
        CHECK(difference(saved(*engine), saved(*blocks)) == "");
        check_same_state(*engine, *blocks);
    }
}

TEST_CASE("what acts on a device between its steps has the bits of the fast engine") {
    const simd::InstructionSet* const set = avx2();
    if (set == nullptr) return;
    const packing::Packing p = tumble("ma-liu", friction_of(laws::FrictionLaw::mindlin), 4);
    const auto act = [](packing::PackingEngine& engine) {
        engine.advance(150);
        engine.set_velocities(7, {0.4, -0.3, 0.2}, {30.0, 0.0, -10.0});
        const std::vector<stepping::BodyForce<Vec3>> force{{9, {5.0, 0.0, -3.0}}};
        for (int step = 0; step < 3; ++step) {
            engine.kick(force, stepping::HalfStep::first);
            engine.advance(1);
            engine.kick(force, stepping::HalfStep::second);
        }
        engine.advance(60);
        engine.rebuild_list();
        engine.advance(60);
    };
    const auto blocks = packing::make_packing_engine(p, 2e-7, 1, *set);
    act(*blocks);
    const SavedPacking middle = saved(*blocks);
    const std::int64_t at = blocks->step();
    blocks->advance(100);
    REQUIRE(blocks->closed_contacts() > 0);
    for (const Place place : places()) {
        const auto engine = packing::make_packing_engine(on(p, place), 2e-7, 1, *set);
        act(*engine);
        CHECK(difference(saved(*engine), middle) == "");
        const auto host = packing::make_packing_engine(p, 2e-7, 1, *set);
        restore(*host, at, saved(*engine));
        engine->advance(33);
        restore(*engine, at, middle);  // also from a later step
        for (packing::PackingEngine* const each : {engine.get(), host.get()}) {
            each->advance(100);
            check_same_state(*each, *blocks);
            CHECK(difference(saved(*each), saved(*blocks)) == "");
        }
    }
}

TEST_CASE("a device that fails ends a run, which can continue, and is named") {
    const packing::Packing p =
        on(tumble("hertz", friction_of(laws::FrictionLaw::none), 4), Place::gpu);
    const auto lost = [](const packing::Packing&, double,
                         int) -> std::unique_ptr<packing::PackingEngine> {
        throw device::DeviceError("the memory of the card is full");
    };
    running::StepTrial trial;
    trial.time_step.step = 1e-7;
    trial.time_step.count = 10;
    CHECK_THROWS_WITH_AS(running::run_packing(p, {}, trial, 1, {}, nullptr, lost),
                         "device \"gpu\": the memory of the card is full", running::DeviceLost);
}

namespace {

/// A crystal whose spheres tumble, in a box that strains; with `pistons` a side of it is pressed.
packing::Packing straining_tumble(laws::FrictionLaw friction, bool pistons, std::int64_t cells) {
    packing::Packing p = tumble("tsuji", friction_of(friction), cells);
    p.walls.clear();
    p.gravity = {};
    p.fixed.clear();
    const packing::Crystal crystal{
        .lattice = packing::Lattice::bcc, .cells = {6, 5, cells}, .radius = steel_radius};
    const Vec3 period = packing::period(crystal);
    p.box = {.lower = {-steel_radius, -steel_radius, 0},
             .upper = period - Vec3{steel_radius, steel_radius, 0},
             .periodic = {true, true, true}};
    p.box.strain = packing::Straining{.rate = {-20.0, 0.0, 10.0}, .shear_rate = {5.0, 0.0, 30.0}};
    if (pistons) {
        p.box.strain->has_piston = {false, true, false};
        p.box.strain->stress = {0, 1e5, 0};
        p.box.strain->mass = 0.1;
        p.box.strain->damping = 10.0;
    }
    return p;
}

}  // namespace

TEST_CASE("a device has the bits of the fast engine in a box that strains, also in many blocks") {
    for (const auto friction : {laws::FrictionLaw::none, laws::FrictionLaw::mindlin}) {
        for (const bool pistons : {false, true}) {
            CAPTURE(static_cast<int>(friction));
            CAPTURE(pistons);
            check_same_bits(straining_tumble(friction, pistons, 4), 2e-7, 120, 0);
            if (sanitised || friction == laws::FrictionLaw::none) continue;
            const packing::Packing large = straining_tumble(friction, pistons, 60);
            REQUIRE(large.particles() > 3000);
            check_same_bits(large, 2e-7, 120, 0);
        }
    }
}

TEST_CASE("a device has the lists that reach further for fast particles") {
    packing::Packing p = struck_bed("tsuji");
    p.friction = friction_of(laws::FrictionLaw::mindlin);
    check_same_bits(p, 2e-7, 600, 2);
    // None is fast at first: a wall strikes some at rest.
    p = steel_packing("tsuji");
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {12, 12, 8},
                    .radius = steel_radius,
                    .overlap = 1e-6});
    for (const double x : {4.0, 20.0})
        p.add(steel_radius, steel_mass(steel_radius),
              {x * steel_radius, 6.0 * steel_radius, 40.0 * steel_radius});
    p.walls = {{.shape = packing::Plane{.point = {0, 0, 41.5 * steel_radius}, .normal = {0, 0, -1}},
                .velocity = {0, 0, -30.0}}};
    p.walls.push_back({.shape = packing::Plane{.point = {0, 0, -steel_radius}}});
    p.gravity = {0, 0, -1e4};
    p.skin = 0.3 * steel_radius;
    check_same_bits(p, 2e-7, 600, 2);
}

}  // namespace beadwave::validation::packing_device_test
