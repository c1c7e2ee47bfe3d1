// Normal force times sliding distance of the walls of a packing, which wears them: in closed form
// on planes and triangles, under a wall that shakes, through the side of a periodic box, and on
// from a saved state.

#include "beadwave/stepping/drive.hpp"
#include "laws/wear.hpp"
#include "meshes.hpp"
#include "packing/packing_engine.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "saved_packings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

namespace beadwave::validation::packing_wear_test {
namespace {

struct Plain {
    static std::unique_ptr<packing::PackingEngine> rubbed(const packing::Packing& p, double dt) {
        return packing::make_plain_packing_engine(p, dt, packing::ContactRecords::rubbing);
    }
};
struct Fast {
    static std::unique_ptr<packing::PackingEngine> rubbed(const packing::Packing& p, double dt) {
        return packing::make_packing_engine(p, dt, 1, nullptr, packing::ContactRecords::rubbing);
    }
};

/// Hertz's force of a steel sphere on a wall of steel [N].
double force_of(double radius, double overlap) {
    const double modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));
    return 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(overlap, 1.5);
}

constexpr double radius = 5e-3, overlap = 2e-6;

/// A sphere that a drive holds in a wall below it: a wall has no contact with fixed particles.
packing::Packing held_sphere() {
    packing::Packing p = steel_packing("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = 0.2};
    p.add(radius, steel_mass(radius), {0, 0, radius - overlap});
    const stepping::Drive held = stepping::Drive::steady(0.0);
    p.elements.motions = {{.along = {held, held, held}}};
    p.elements.driven = {{.particle = 0, .motion = 0}};
    return p;
}

}  // namespace

TEST_CASE_TEMPLATE("a wall that passes below a held sphere rubs by Hertz's force times its way",
                   Engine, Plain, Fast) {
    // Nothing but the sums of steps rounds: 1e-9.
    constexpr double dt = 1e-6, way = 4e-3;
    for (const bool triangles : {false, true}) {
        CAPTURE(triangles);
        packing::Packing p = held_sphere();
        packing::Wall moving;
        if (triangles)  // from one to the next
            moving.shape =
                mesh_of(plate({-0.0183, -0.0181, 0}, {0.036, 0, 0}, {0, 0.0362, 0}, 12), {});
        moving.velocity = {2.0, 0, 0};
        p.walls.push_back(moving);
        packing::Wall apart;
        apart.shape = packing::Plane{.point = {0, 0, 1.0}, .normal = {0, 0, -1}};
        p.walls.push_back(apart);
        const auto engine = Engine::rubbed(p, dt);
        engine->advance(2000);
        const std::vector<double> rubbing = engine->wall_rubbing();
        REQUIRE(rubbing.size() == 2);
        CHECK_RELATIVE(rubbing[0], force_of(radius, overlap) * way, 1e-9);
        CHECK(rubbing[1] == 0.0);
        const laws::Wear wear{.coefficient = 1e-4, .hardness = 3e9};
        CHECK_RELATIVE(wear.volume(rubbing[0]), 1e-4 * force_of(radius, overlap) * way / 3e9, 1e-9);
    }
}

TEST_CASE_TEMPLATE(
    "a wall that also shakes, and parts from the sphere, rubs by the integral of the force", Engine,
    Plain, Fast) {
    // The sum is the trapezoidal rule: (2 pi dt / period)^2 / 12 is 3e-6.
    constexpr double amplitude = 3e-6, period = 1e-3, speed = 2.0, dt = 1e-6;
    packing::Packing p = held_sphere();
    packing::Wall shaking;
    shaking.velocity = {0, speed, 0};
    shaking.drive = stepping::Drive::sine(1.0 / period, amplitude);
    p.walls.push_back(shaking);
    const auto engine = Engine::rubbed(p, dt);
    engine->advance(3000);
    double expected = 0.0;
    constexpr int parts = 300000;
    for (int k = 0; k < parts; ++k) {
        const double t = (k + 0.5) * 3.0 * period / parts;
        const double deep = overlap + amplitude * std::sin(2.0 * std::numbers::pi * t / period);
        if (deep > 0.0) expected += force_of(radius, deep) * speed * 3.0 * period / parts;
    }
    CHECK_RELATIVE(engine->wall_rubbing()[0], expected, 1e-5);
}

TEST_CASE_TEMPLATE("a sphere slides until it rolls, through the side of a periodic box", Engine,
                   Plain, Fast) {
    // It rubs by its weight times v t - 7 mu g t^2 / 4. The lever of friction is shorter than the
    // radius by the overlap, 4e-6 of it, and friction rises to its limit within 1e-5 of the way.
    // The first half step is without it: 7 mu g dt t / 4 of the way, 2e-5.
    constexpr double speed = 0.05, friction = 0.3, gravity = 9.81, dt = 1e-7;
    packing::Packing p = steel_packing("hertz");
    p.friction = {.law = laws::FrictionLaw::mindlin, .coefficient = friction};
    p.gravity = {0, 0, -gravity};
    p.box.upper = {0.02, 0.02, 0.02};
    p.box.periodic = {true, true, false};
    p.skin = 2e-5;
    const double weight = steel_mass(radius) * gravity;
    const double rest = std::pow(weight / force_of(radius, 1.0), 2.0 / 3.0);
    p.add(radius, steel_mass(radius), {0.02 - 5e-5, 0.01, radius - rest});
    p.velocity[0] = {speed, 0, 0};
    p.walls.push_back({});
    const double until = 2.0 * speed / (7.0 * friction * gravity);
    const auto engine = Engine::rubbed(p, dt);
    const auto steps = static_cast<std::int64_t>(0.9 * until / dt);
    engine->advance(steps / 2);
    const SavedPacking middle = saved(*engine);
    const double rubbed_then = engine->wall_rubbing()[0];
    engine->advance(steps - steps / 2);
    CHECK(engine->neighbour_list_builds() > 3);
    CHECK(engine->displacement()[0].x > 1e-4);
    const double t = static_cast<double>(steps) * dt;
    const double way = speed * t - 1.75 * friction * gravity * t * t;
    CHECK_RELATIVE(engine->wall_rubbing()[0], weight * way, 4e-5);

    const auto resumed = Engine::rubbed(p, dt);
    restore(*resumed, steps / 2, middle);
    CHECK(resumed->wall_rubbing()[0] == rubbed_then);
    resumed->advance(steps - steps / 2);
    CHECK(resumed->wall_rubbing()[0] == engine->wall_rubbing()[0]);
    SavedPacking damaged = middle;
    const bool whole = middle.contains("wall_rubbing");  // else in parts, by blocks
    damaged[whole ? "wall_rubbing" : "contact_works"].push_back(0.0);
    CHECK_THROWS_WITH(restore(*Engine::rubbed(p, dt), steps / 2, damaged),
                      whole ? "wall_rubbing: 2 numbers; expected 1"
                            : "contact_works: these are no works of contacts");
}

TEST_CASE("an engine that is not asked does not know how walls are rubbed") {
    packing::Packing p = held_sphere();
    p.walls.push_back({});
    CHECK(packing::make_plain_packing_engine(p, 1e-6)->wall_rubbing().empty());
    CHECK(packing::make_packing_engine(p, 1e-6, 1)->wall_rubbing().empty());
}

}  // namespace beadwave::validation::packing_wear_test
