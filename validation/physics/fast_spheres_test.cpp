// Fast spheres against every kind of wall: a run in which one comes through fails.

#include "meshes.hpp"
#include "packing_system/packing_simulation.hpp"
#include "packings.hpp"
#include "running/step_loop.hpp"
#include "sanitised.hpp"
#include "splitmix.hpp"
#include "subjects/packing/packing_reader.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::validation::fast_spheres_test {

namespace {

constexpr const char* soft = R"(
[material.s]
youngs_modulus = 1e6
poisson_ratio = 0.3
density = 2500
[[particles]]
position = [0, 0, 0.01]
radius = 2e-3
material = "s"
velocity = [0, 0, -10]
[[wall]]
point = [0, 0, 0]
normal = [0, 0, 1]
material = "s"
[law]
name = "hertz"
[time]
end = 2e-3
)";

}  // namespace

TEST_CASE("of two hundred fast spheres none comes through a wall without an error") {
    std::uint64_t drawn = 0;
    const auto draw = [&](double from, double to) {
        return from + (to - from) * std::ldexp(static_cast<double>(mixed(++drawn) >> 11), -53);
    };
    const packing::Scenario scenario = io::read_packing_text(soft, "soft.toml", {}).scenario;
    const packing::Mesh sheet = mesh_of(plate({-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}, 5));
    const packing::Mesh around = mesh_of(tube({0, 0, 1}, 0.02, 0.4, 24));
    std::array<std::size_t, 5> failed{}, returned{};
    for (std::size_t run = 0; run < (sanitised ? 60 : 200); ++run) {
        CAPTURE(run);
        packing::Packing p = packing::build_packing(scenario);
        const double speed = std::exp(draw(0.5, 4.3));  // 1.6 to 74 m/s
        const std::size_t kind = run % 5;
        const bool inside = kind >= 3;  // of a cylinder
        switch (kind) {
            case 0:
                break;
            case 1:
                p.walls[0].shape = packing::Revolved::disc({}, {0, 0, 1}, 0.08);
                break;
            case 2:
                p.walls[0].shape = sheet;
                break;
            case 3:
                p.walls[0].shape = packing::Revolved::cylinder({}, {0, 0, 1}, 0.02);
                break;
            case 4:
                p.walls[0].shape = around;
                break;
            default:
                break;
        }
        // Almost along the normal, from a random distance, so that it arrives anywhere in a step.
        const double aside = draw(-0.3, 0.3), turn = draw(0.0, 6.28);
        const double from = draw(1.05, 4.0) * 2e-3;
        p.position[0] = inside ? Vec3{draw(-8e-3, 8e-3), draw(-8e-3, 8e-3), draw(-0.01, 0.01)}
                               : Vec3{draw(-0.02, 0.02), draw(-0.02, 0.02), from};
        p.velocity[0] = inside ? speed * Vec3{std::cos(turn), std::sin(turn), aside}
                               : speed * Vec3{aside * std::cos(turn), aside * std::sin(turn), -1.0};
        running::PackingSettings settings = running::settings_of(scenario);
        settings.end = (inside ? 0.05 : 3.0 * from) / speed;
        packing::Scenario of_run = scenario;
        of_run.time.end = settings.end;
        running::Sinks sinks;
        Vec3 last = p.position[0];
        sinks.snapshot = [&](auto, auto, running::System& system) {
            const auto& engine = static_cast<running::SteppedPacking&>(system).engine();
            last = p.position[0] + engine.displacement()[0];
        };
        settings.snapshot_interval = settings.end;
        std::optional<running::SinkStore> store;
        try {
            running::run_packing(
                p, settings, {.time_step = running::choose_time_step(of_run, p)}, 1,
                [&](const running::StepTrial&, running::System& system) {
                    return running::Callbacks{.store = &store.emplace(system, sinks)};
                });
        } catch (const running::RunError&) {
            ++failed[kind];
            continue;
        }
        ++returned[kind];
        CHECK_FALSE((inside ? std::hypot(last.x, last.y) > 0.021 : last.z < 0.0));
    }
    for (const std::size_t kind : {0, 1, 2, 3, 4}) {
        CAPTURE(kind);
        CHECK(failed[kind] > (sanitised ? 0 : 3));    // fast ones
        CHECK(returned[kind] > (sanitised ? 0 : 3));  // slow ones bounce
    }
}

}  // namespace beadwave::validation::fast_spheres_test
