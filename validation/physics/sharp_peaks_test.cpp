// Peak forces where a force begins with a jump: the first step after it has what is left of it.

#include "chaotic.hpp"
#include "packing_config_runs.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>

namespace beadwave::validation::sharp_peaks_test {

namespace {

constexpr double damping = 1.0, speed = 0.1;  // [N s/m], [m/s]

/// A sphere of 1 mm that meets a plane under F = K delta + D delta_dot, overdamped.
running::PackingFinished meet(double step) {
    const std::string text = fmt::format(R"(
[material.s]
youngs_modulus = 1e9
poisson_ratio = 0.2
density = 2500.0
[[particles]]
position = [0.0, 0.0, 1.001e-3]
radius = 1e-3
velocity = [0.0, 0.0, -{}]
material = "s"
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "s"
[law]
name = "kelvin-voigt"
stiffness = 1e3
restitution = "from-damping"
damping = {}
[time]
step = {}
end = 3e-5
[sensors]
particles = [0]
)",
                                         speed, damping, step);
    return run_packing_text(text);
}

bool warns_of_peak(const running::PackingFinished& run) {
    return std::ranges::any_of(run.diagnostics, [](const std::string& warning) {
        return warning.starts_with("sensor 0: the force jumps at its peak of ");
    });
}

}  // namespace

TEST_CASE("a peak at a jump is known to what the force loses in a step, and warned of") {
    // The force jumps to D v within a step, and then decays with m/D = 1.05e-5 s.
    const double mass = 2500.0 * 4.0 / 3.0 * std::numbers::pi * 1e-9;
    for (const double step : {1.3e-6, 2.9e-7}) {
        const running::PackingFinished coarse = meet(step);
        const observers::SensorResult& sensor = coarse.result.sensors.at(0);
        CHECK(warns_of_peak(coarse));
        // From the first force to the second the velocity loses the first one over a step and a
        // half: velocity Verlet predicts it from the middle of the step.
        CHECK_RELATIVE(sensor.peak_force_missed / sensor.peak_force, 1.5 * step * damping / mass,
                       0.05);
        // D v, and K delta of at most one step: 1.3e-3 of it.
        const double spring = 1e3 * step * speed;
        CHECK_BETWEEN(sensor.peak_force, (1.0 - 1e-9) * damping * speed,
                      (1.0 + 1e-9) * damping * speed + spring);
    }
    const running::PackingFinished fine = meet(1.1e-8);
    CHECK_RELATIVE(fine.result.sensors.at(0).peak_force, damping * speed, 2e-3);
    CHECK(!warns_of_peak(fine));
}

}  // namespace beadwave::validation::sharp_peaks_test
