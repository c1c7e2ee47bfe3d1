// How deep bodies overlap: what engines measure of it, and what a run makes of it.

#include "packing/fast/fast_packing_engine.hpp"
#include "packing_config_runs.hpp"
#include "packing_system/packing_simulation.hpp"
#include "packings.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "running/step_loop.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace beadwave::validation::packing_depth_test {

using packing::DeepContact;
using packing::Packing;
using packing::Vec3;

namespace {

struct Named {
    std::string name;
    std::unique_ptr<packing::PackingEngine> engine;
};

/// The plain engine, and the fast one on every instruction set of this processor.
std::vector<Named> all_engines(const Packing& p, double step) {
    std::vector<Named> all;
    all.push_back({"plain", packing::make_plain_packing_engine(p, step)});
    for (const simd::InstructionSet& set : simd::instruction_sets())
        all.push_back({set.name, packing::make_packing_engine(p, step, 1, set)});
    return all;
}

/// E* of two bodies of steel, from 1/E* = 2 (1 - nu^2) / E [Pa].
const double effective_modulus = steel_modulus / (2.0 * (1.0 - steel_ratio * steel_ratio));

/// K = (4/3) E* sqrt(R) [N/m^1.5].
double hertz_stiffness(double effective_radius) {
    return 4.0 / 3.0 * effective_modulus * std::sqrt(effective_radius);
}

/// The speed at which a mass compresses a Hertz contact by `overlap`: m v^2 / 2 = (2/5) K
/// delta^(5/2).
double speed_to(double overlap, double stiffness, double mass) {
    return std::sqrt(0.8 * stiffness * std::pow(overlap, 2.5) / mass);
}

/// The duration of a Hertz collision is 2.943 delta_max / v [Johnson 1985].
double duration(double overlap, double speed) {
    return 2.943 * overlap / speed;
}

/// A sphere that flies towards a wall and will sink into it by `depth` radii.
Packing before_wall(double depth, Vec3 normal) {
    Packing p = steel_packing();
    normal = (1.0 / size_of(normal)) * normal;
    const double mass = steel_mass(steel_radius), overlap = depth * steel_radius;
    p.add(steel_radius, mass, (1.001 * steel_radius) * normal);
    p.velocity[0] = -speed_to(overlap, hertz_stiffness(steel_radius), mass) * normal;
    p.walls.push_back({.shape = packing::Plane{.point = {}, .normal = normal}});
    return p;
}

/// A light sphere that flies towards a larger one, and many others that nothing meets; each block
/// of the fast engine has about a thousand.
Packing collision_among_many(double depth) {
    Packing p = steel_packing();
    add_crystal(p, {.lattice = packing::Lattice::simple_cubic,
                    .cells = {20, 20, 8},
                    .origin = {1.0, 0, 0},
                    .radius = steel_radius,
                    .overlap = -0.1 * steel_radius});
    const double large = 2.0 * steel_radius, small = steel_radius;
    p.add(large, steel_mass(large), {});
    p.add(small, steel_mass(small), {1.001 * (large + small), 0, 0});
    const double mass =
        steel_mass(large) * steel_mass(small) / (steel_mass(large) + steel_mass(small));
    const double stiffness = hertz_stiffness(large * small / (large + small));
    p.velocity.back() = {-speed_to(depth * small, stiffness, mass), 0, 0};
    return p;
}

constexpr const char* two_soft = R"(
[material.s]
youngs_modulus = {modulus}
poisson_ratio = 0.3
density = 2500.0
[[particles]]
position = [0.0, 0.0, 0.0]
radius = 1e-3
material = "s"
velocity = [{speed}, 0.0, 0.0]
[[particles]]
position = [2.001e-3, 0.0, 0.0]
radius = 1e-3
material = "s"
[law]
name = "hertz"
[time]
end = 2e-3
)";

running::PackingFinished run(std::string text, double modulus, double speed,
                             const std::string& more = "") {
    const auto put = [&](const std::string& name, double value) {
        text.replace(text.find(name), name.size(), fmt::format("{:e}", value));
    };
    put("{modulus}", modulus);
    put("{speed}", speed);
    return run_packing_text(text + more);
}

/// The message with which the run fails; empty: it does not.
std::string failure(const std::function<void()>& run) {
    try {
        run();
    } catch (const running::RunError& error) {
        return error.what();
    }
    return {};
}

bool has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return true;
    MESSAGE(text);
    return false;
}

}  // namespace

TEST_CASE("a sphere that sinks into a wall beyond its centre comes back as it came") {
    constexpr double depth = 1.3;
    for (const Vec3 normal : {Vec3{0, 0, 1}, Vec3{1, -2, 0.5}}) {
        const Packing p = before_wall(depth, normal);
        const double speed = size_of(p.velocity[0]);
        const double whole = duration(depth * steel_radius, speed);
        for (const Named& each : all_engines(p, whole / 4000.0)) {
            CAPTURE(each.name);
            each.engine->advance(5000);
            // Second order: errors of the order of (1/4000)^2.
            CHECK_ABSOLUTE(size_of(each.engine->velocity()[0] + p.velocity[0]), 0.0, 1e-5 * speed);
            const DeepContact deepest = each.engine->deepest();
            CHECK_RELATIVE(deepest.depth, depth, 1e-5);
            CHECK_RELATIVE(deepest.overlap, depth * steel_radius, 1e-5);
            CHECK(deepest.first == 0);
            CHECK(deepest.second == 1);  // the wall
            CHECK(!each.engine->first_non_finite());
        }
    }
}

TEST_CASE("behind a wall's surface the overlap is linear in the height") {
    Packing p = before_wall(1.3, {0, 0, 1});
    p.velocity[0] = {0, 0, -1e3};
    p.law = law_settings("hertz");
    p.species_list[0].elasticity.youngs_modulus = 1.0;  // too soft to slow it
    const double step = 0.01 * steel_radius / 1e3;
    for (const Named& each : all_engines(p, step)) {
        CAPTURE(each.name);
        for (int k = 1; k <= 18; ++k) {
            each.engine->advance(10);  // a tenth of the radius
            const double height = 1.001 * steel_radius + each.engine->displacement()[0].z;
            const auto contacts = each.engine->contacts();
            REQUIRE(contacts.size() == 1);
            CHECK_ABSOLUTE(contacts[0].overlap, steel_radius - height, 1e-12 * steel_radius);
            CHECK(contacts[0].normal_force.z > 0.0);
        }
    }
}

TEST_CASE("every engine finds the deepest contact among many, at the step at which it is deepest") {
    constexpr double depth = 0.3;
    const Packing p = collision_among_many(depth);
    const std::size_t n = p.particles();
    const double whole = duration(depth * steel_radius, size_of(p.velocity.back()));
    const double step = whole / 1000.0;
    // The sphere flies over the gap first.
    const double flight = 0.001 * 3.0 * steel_radius / size_of(p.velocity.back());
    std::vector<Named> engines = all_engines(p, step);
    engines.push_back({"two threads", packing::make_packing_engine(p, step, 2)});
    for (const Named& each : engines) {
        CAPTURE(each.name);
        each.engine->advance(1500);
        const DeepContact deepest = each.engine->deepest();
        CHECK_RELATIVE(deepest.depth, depth, 1e-4);
        CHECK(deepest.first == n - 2);
        CHECK(deepest.second == n - 1);
        CHECK_ABSOLUTE(static_cast<double>(deepest.step) * step, flight + 0.5 * whole,
                       0.02 * whole);
    }
}

TEST_CASE("contacts below a tenth of the radius do not count") {
    for (const Named& each : all_engines(collision_among_many(0.099), 1e-8)) {
        CAPTURE(each.name);
        each.engine->advance(3000);
        CHECK(each.engine->deepest().depth == 0.0);
    }
}

TEST_CASE("a run warns of overlaps beyond a tenth of the radius, once and with the deepest") {
    // E* = 5.49e7 Pa, R = R/2: delta = (5 m v^2 / (4 K))^(2/5) with half the mass of a sphere.
    const double mass = 0.5 * 2500.0 * 4.0 / 3.0 * std::numbers::pi * 1e-9;
    const double stiffness = 4.0 / 3.0 * 1e8 / (2.0 * (1.0 - 0.09)) * std::sqrt(0.5e-3);
    const double speed = speed_to(0.4e-3, stiffness, mass);
    const running::PackingFinished finished = run(two_soft, 1e8, speed);
    REQUIRE(finished.diagnostics.size() == 1);
    CHECK(has(finished.diagnostics[0], "particles 0 and 1 overlapped by 0.0004 m at step "));
    CHECK(has(finished.diagnostics[0],
              ", 0.40 times the radius of particle 0; contact laws hold "
              "for overlaps far below the radius, up to about 0.1 of it; "
              "expected stiffer materials"));
    CHECK_RELATIVE(finished.result.deepest.depth, 0.4, 1e-4);
    CHECK(run(two_soft, 1e8, speed_to(0.09e-3, stiffness, mass)).diagnostics.empty());
}

TEST_CASE("a run in which one sphere would pass through another fails and says why") {
    const auto message = [](const std::string& more) {
        return failure([&] { run(two_soft, 1e6, 100.0, more); });
    };
    for (const char* more : {"", "step = 1e-8\n"}) {
        CAPTURE(more);
        const std::string said = message(more);
        CHECK(said.starts_with("particles 0 and 1 overlap by 0.00"));
        CHECK(has(said,
                  " times the radius of particle 0, whose centre is then inside the other "
                  "body, where no contact law holds; expected stiffer materials "
                  "(youngs_modulus), lower speeds or smaller loads"));
    }
}

TEST_CASE("a step in which two spheres move past each other by more than a radius is refused") {
    // 5 mm per step, less the skin: from one side to the other without a contact between.
    const std::string said = failure([] { run(two_soft, 1e-3, 100.0, "step = 5e-5\n"); });
    CHECK(has(said,
              "two bodies moved past each other by 0.0045 m in one step, more than the "
              "smallest radius, 0.001 m, too fast for a time.step of 5e-05 s; 1e-06 s "
              "resolves it"));
    // An automatic step becomes shorter, until the spheres meet and the run fails for that reason.
    const std::string automatic = failure([] { run(two_soft, 1e-3, 100.0); });
    CHECK(automatic.starts_with("particles 0 and 1 overlap by "));
}

TEST_CASE("a run that stays not finite with shorter time steps fails after three of them") {
    int attempts = 0;
    const running::Settings settings{.end = 1.0};
    const std::string said = failure([&] {
        running::run_trials({.time_step = {.step = 1e-3, .count = 1000}}, settings,
                            [&](const running::StepTrial& trial) {
                                ++attempts;
                                throw running::StepRejected("particle 7 is no longer finite",
                                                            trial.time_step.step / 8.0, true);
                            });
    });
    CHECK(attempts == 4);
    CHECK(said ==
          "unstable: particle 7 is no longer finite; 3 shorter time steps, the last of "
          "1.95e-06 s, have not helped, so the time step is not the cause; expected other "
          "numbers of the bodies, their law or their motion");
}

TEST_CASE("a crystal two cells wide in a box of two diameters moves like one of four cells") {
    const auto crystal = [](std::int64_t cells) {
        Packing p = steel_packing();
        const packing::Crystal grid{.lattice = packing::Lattice::simple_cubic,
                                    .cells = {cells, cells, cells},
                                    .radius = steel_radius};
        std::size_t number = 0;
        for (const Vec3& centre : packing::centres(grid)) {
            p.add(steel_radius, steel_mass(steel_radius), centre);
            // The same for every second cell along each axis.
            const std::size_t count = static_cast<std::size_t>(cells);
            const std::size_t x = number % count % 2, y = number / count % count % 2,
                              z = number / count / count % 2;
            const double k = static_cast<double>(x + 2 * y + 4 * z);
            p.velocity.back() = {std::sin(k + 1.0), std::sin(2.0 * k + 2.0), std::cos(3.0 * k)};
            ++number;
        }
        p.box = {.lower = {}, .upper = packing::period(grid), .periodic = {true, true, true}};
        REQUIRE(packing::validate(p) == "");
        return p;
    };
    const Packing two = crystal(2), four = crystal(4);
    const std::vector<Named> narrow = all_engines(two, 2e-8), wide = all_engines(four, 2e-8);
    for (std::size_t e = 0; e < narrow.size(); ++e) {
        CAPTURE(narrow[e].name);
        narrow[e].engine->advance(20000);
        wide[e].engine->advance(20000);
        CHECK(narrow[e].engine->neighbour_list_builds() > 0);
        const auto a = narrow[e].engine->velocity(), b = wide[e].engine->velocity();
        for (std::size_t i = 0; i < two.particles(); ++i) {
            const std::size_t same = i % 2 + 4 * (i / 2 % 2) + 16 * (i / 4);
            CHECK_ABSOLUTE(size_of(a[i] - b[same]), 0.0, 1e-9);  // of speeds around 1 m/s
        }
        CHECK_ABSOLUTE(size_of(a[0] - two.velocity[0]), 1.0, 0.95);  // it did collide
    }
}

}  // namespace beadwave::validation::packing_depth_test
