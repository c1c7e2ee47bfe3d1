// Peak forces where a force begins with a jump: the first step after it has what is left of it.

#include "chaotic.hpp"
#include "packing_config_runs.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Two spheres, of 1 mm at rest and of 1 cm, with a gap between them [m] and a velocity [m/s] of
/// the large one towards the small one.
running::PackingFinished pair(double gap, double towards, double end, double step) {
    return run_packing_text(fmt::format(R"(
[material.s]
youngs_modulus = 1e9
poisson_ratio = 0.2
density = 2500.0
[[particles]]
position = [0.0, 0.0, 0.0]
radius = 1e-3
material = "s"
[[particles]]
position = [{:.17g}, 0.0, 0.0]
radius = 1e-2
velocity = [{}, 0.0, 0.0]
material = "s"
[law]
name = "kelvin-voigt"
stiffness = 1e3
restitution = "from-damping"
damping = {}
[time]
step = {}
end = {}
[sensors]
particles = [0]
)",
                                        1.1e-2 + gap, -towards, damping, step, end));
}

/// The part of the velocity that a warning says is unknown; 0 without one.
double unknown_velocity(const running::PackingFinished& run) {
    const std::string begin = "sensor 0: its peak velocity is known to no better than ";
    for (const std::string& warning : run.diagnostics)
        if (warning.starts_with(begin)) return 1e-2 * std::stod(warning.substr(begin.size()));
    return 0.0;
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

TEST_CASE("a run that ends soon after a contact with a jump warns of the velocity it finds") {
    // The small sphere is dragged along: D v / m times the time since the contact closed.
    const double mass = 2500.0 * 4.0 / 3.0 * std::numbers::pi * 1e-9;
    const double closing = 2.531e-6, step = 1e-8, end = 2.63e-6, gap = speed * closing;
    const double exact = damping * speed / mass * (end - closing);
    const running::PackingFinished cut = pair(gap, speed, end, step);
    const double error = std::abs(cut.result.sensors.at(0).peak_velocity / exact - 1.0);
    CHECK(error > 0.02);  // of the part of a step in which it closes
    // The drag decays meanwhile, by 0.5 %.
    CHECK(error < unknown_velocity(cut) + 0.005);
    CHECK_BETWEEN(unknown_velocity(cut), 0.04, 0.07);
    CHECK(unknown_velocity(pair(gap, speed, 4e-5, step)) == 0.0);
    CHECK(unknown_velocity(pair(gap, speed, end, step / 16.0)) == 0.0);
}

TEST_CASE("a contact with a jump that opens after a few steps warns of the velocity it gave") {
    // The large sphere leaves: the dashpot pulls with D v until the overlap of v * 0.093 us is
    // gone.
    const double mass = 2500.0 * 4.0 / 3.0 * std::numbers::pi * 1e-9;
    const double lasts = 9.3e-8, step = 1e-8;
    const double exact = damping * speed / mass * lasts;
    const running::PackingFinished coarse = pair(-speed * lasts, -speed, 1e-6, step);
    const double error = std::abs(coarse.result.sensors.at(0).peak_velocity / exact - 1.0);
    CHECK(error > 0.02);  // of the half step in which it opens
    CHECK(error < unknown_velocity(coarse) + 0.01);
    CHECK_BETWEEN(unknown_velocity(coarse), 0.04, 0.07);
    const running::PackingFinished fine = pair(-speed * lasts, -speed, 1e-6, step / 32.0);
    CHECK_RELATIVE(fine.result.sensors.at(0).peak_velocity, exact, 0.01);
    CHECK(unknown_velocity(fine) == 0.0);
}

}  // namespace beadwave::validation::sharp_peaks_test
