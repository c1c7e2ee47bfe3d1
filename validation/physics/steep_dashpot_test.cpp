// Dashpots whose force is steep over the overlap where contact begins, as overlap^(1/4): no step
// meets that slope, and a step that is good is not refused for it. A stiff contact still is.

#include "beadwave/laws/hertz.hpp"
#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "packing/fast/fast_packing_engine.hpp"
#include "packing/step/time_step.hpp"
#include "packing_config_runs.hpp"
#include "packing_system/packing_simulation.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

namespace beadwave::validation::steep_dashpot_test {

using packing::Packing;
using packing::Vec3;

namespace {

constexpr double restitution = 0.5;

/// Tsuji's dashpot c = alpha sqrt(m K) delta^(1/4) with constant restitution: alpha =
/// -sqrt(5) ln e / sqrt(pi^2 + ln^2 e).
double tsuji_damping(double overlap, double mass, double stiffness) {
    const double log = std::log(restitution);
    const double alpha =
        -std::sqrt(5.0) * log / std::sqrt(std::numbers::pi * std::numbers::pi + log * log);
    return alpha * std::sqrt(mass * stiffness) * std::pow(overlap, 0.25);
}

const double sphere_mass = steel_mass(steel_radius);
/// K of a sphere of steel on a flat wall of steel [N/m^1.5].
const double on_wall =
    4.0 / 3.0 * steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio)) * std::sqrt(steel_radius);

Packing tsuji_packing() {
    Packing p = steel_packing();
    p.law = law_settings("tsuji", {{"restitution", restitution}});
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = {0, 0, 1}}});
    return p;
}

/// The frequency [rad/s] that each engine finds, times the step [s].
template <class Check>
void for_all_engines(const Packing& p, double step, const Check& check) {
    const auto found = [&](const packing::PackingEngine& engine) {
        return step * engine.stability_limits(1e-3).frequency;
    };
    check("plain", found(*packing::make_plain_packing_engine(p, step)));
    for (const simd::InstructionSet& set : simd::instruction_sets())
        check(set.name, found(*packing::make_packing_engine(p, step, 1, set)));
}

/// A sphere of 1 mm between a plane at rest and one that squeezes it, 0.1 mm/s.
running::PackingFinished squeeze(const std::string& law, double step, double end) {
    const std::string text = fmt::format(R"(
[material.s]
youngs_modulus = 1e9
poisson_ratio = 0.2
density = 2500.0
[[particles]]
position = [0.0, 0.0, 1e-3]
radius = 1e-3
material = "s"
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "s"
[[wall]]
point = [0.0, 0.0, 2e-3]
normal = [0.0, 0.0, -1.0]
material = "s"
velocity = [0.0, 0.0, -1e-4]
[law]
{}
[time]
step = {}
end = {}
)",
                                         law, step, end);
    return run_packing_text(text);
}

}  // namespace

TEST_CASE("a contact that has just begun is as stiff as a step meets it, in every engine") {
    const double step = 1e-6, speed = 1.0, overlap = 1e-12;
    Packing p = tsuji_packing();
    p.add(steel_radius, sphere_mass, {0, 0, steel_radius - overlap});
    p.velocity[0] = {0, 0, -speed};
    const double damping = tsuji_damping(overlap, sphere_mass, on_wall);
    const double elastic = 1.5 * on_wall * std::sqrt(overlap);
    const double expected = step * std::sqrt((elastic + damping / step) / sphere_mass);
    // The slope of the force at this place alone would refuse the step.
    CHECK(step * std::sqrt(0.25 * damping * speed / overlap / sphere_mass) > 10.0);
    CHECK(expected < 0.1);
    for_all_engines(p, step, [&](const std::string& name, double found) {
        CAPTURE(name);
        // Differences over 1/4096 of the overlap; its last digits are those of the place, 1e-7.
        CHECK_RELATIVE(found, expected, 2e-4);
    });
}

TEST_CASE("a contact at rest, or one that moves little in a step, has its true stiffness") {
    const double step = 1e-6, overlap = 1e-6;
    for (const double speed : {0.0, 1e-3, 1.0}) {
        Packing p = tsuji_packing();
        p.add(steel_radius, sphere_mass, {0, 0, steel_radius - overlap});
        p.velocity[0] = {0, 0, -speed};
        const double slope = 0.25 * tsuji_damping(overlap, sphere_mass, on_wall) * speed / overlap;
        const double elastic = 1.5 * on_wall * std::sqrt(overlap);
        for_all_engines(p, step, [&](const std::string& name, double found) {
            CAPTURE(name);
            CHECK_RELATIVE(found, step * std::sqrt((elastic + slope) / sphere_mass), 1e-4);
        });
    }
}

TEST_CASE("chains see the same of a contact that has just begun, on every instruction set") {
    // The step ends the 248th time, at which the tiled engine looks, with this overlap.
    const double step = 1e-7, speed = 1.0, overlap = 1e-11;
    const std::int64_t steps = 248;
    chain::Scenario scenario =
        steel_chain(2, speed, law_settings("tsuji", {{"restitution", restitution}}), 1e-3);
    scenario.segments[1].gap = speed * step * static_cast<double>(steps) - overlap;
    const chain::Chain chain = chain::build_chain(scenario);
    const double mass = 0.45e-3;
    const double k = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio)) * 4.0 / 3.0 *
                     std::sqrt(0.5 * steel_radius);
    const double damping = tsuji_damping(overlap, 0.5 * mass, k);
    const double expected = std::sqrt((1.5 * k * std::sqrt(overlap) + damping / step) / mass);
    CHECK(std::sqrt(0.25 * damping * speed / overlap / mass) > 5.0 * expected);
    const auto watched = [&](dynamics::Engine& engine) {
        dynamics::SensorTrace none;
        engine.monitor_stability(1e-3);
        engine.advance(steps, none);
        return engine.stability_limits().frequency;
    };
    CHECK_RELATIVE(watched(*dynamics::make_plain_engine(chain, step)), expected, 2e-4);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        CHECK_RELATIVE(watched(*dynamics::make_tiled_engine(chain, step, 1, {}, set)), expected,
                       2e-4);
    }
}

TEST_CASE(
    "spheres that strike a wall at every step run with a good step, and rebound as they should") {
    // At each step one sphere has an overlap of 1e-10 m, so each look at the limits sees one.
    const double step = 1e-6, speed = 1.0;
    Packing p = tsuji_packing();
    for (int k = 0; k < 1024; ++k) {
        const double pitch = 3.0 * steel_radius;
        p.add(steel_radius, sphere_mass,
              {pitch * (k % 32), pitch * (k / 32), steel_radius + speed * step * k - 1e-10});
        p.velocity.back() = {0, 0, -speed};
    }
    running::Settings settings;
    settings.end = 1.2e-3;
    settings.step = step;
    const stepping::TimeStep given =
        packing::choose_time_step(p, {.end = settings.end, .step = step, .interval = settings.end});
    const running::PackingFinished run =
        running::run_packing(p, settings, {.time_step = given}, 1, {});
    CHECK(run.result.stability_limits.frequency * step < 0.5);

    // Each leaves with the speed that a plain integration at a step 64 times shorter gives. Its
    // contact lasts 35 steps, so that of the engine is off by about (pi / 35)^2.
    double overlap = 0.0, approach = speed;
    const double fine = step / 64.0;
    while (overlap >= 0.0) {
        const auto acceleration = [&] {
            const double x = std::max(overlap, 0.0);
            return -(on_wall * x * std::sqrt(x) +
                     tsuji_damping(x, sphere_mass, on_wall) * approach) /
                   sphere_mass;
        };
        approach += 0.5 * fine * acceleration();
        overlap += fine * approach;
        approach += 0.5 * fine * acceleration();
    }
    CHECK_RELATIVE(-approach, restitution, 1e-2);
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        CAPTURE(set.name);
        const auto engine = packing::make_packing_engine(p, step, 1, set);
        engine->advance(1200);
        for (const Vec3& velocity : engine->velocity())
            CHECK_RELATIVE(velocity.z, -approach, 2e-2);
    }
}

TEST_CASE("a squeeze ends where the step becomes unstable, with a steep dashpot too") {
    // Two contacts of this sphere with the walls at an overlap of half the way of the upper one.
    const double radius = 1e-3, mass = 4.0 / 3.0 * std::numbers::pi * 1e-9 * 2500.0;
    const double k = 4.0 / 3.0 * 1e9 / (2.0 * 0.96) * std::sqrt(radius);
    const double overlap = 1e-5, unstable = 2.0 * overlap / 1e-4;  // m, s
    const double step = 2.0 / std::sqrt(2.0 * 1.5 * k * std::sqrt(overlap) / mass);
    for (const std::string law : {"name = \"hertz\"", "name = \"tsuji\"\nrestitution = 0.9"}) {
        CAPTURE(law);
        std::string message;
        try {
            squeeze(law, step, 2.0 * unstable);
        } catch (const running::RunError& error) {
            message = error.what();
        }
        REQUIRE(message.find("unstable: at t = ") == 0);
        const double time = std::stod(message.substr(std::string("unstable: at t = ").size()));
        CHECK(time > 0.99 * unstable);
        // The growing vibration opens one contact, and lowers the stiffness, before it is seen.
        CHECK(time < 1.5 * unstable);
        // Half of it is stable for twice the overlap and more.
        CHECK(squeeze(law, 0.5 * step, 2.0 * unstable).result.steps > 0);
    }
}

}  // namespace beadwave::validation::steep_dashpot_test
