// configs/: chains and impacts that lose energy.

#include "config_runs.hpp"
#include "plain_chain.hpp"
#include "relative.hpp"

#include <cmath>
#include <numbers>

namespace beadwave::validation::configs_loss_test {

TEST_CASE("damped: the wave decays by the same factor per bead, whatever its height") {
    const Finished finished = run_config("damped");
    PlainChain plain = plain_row(101, 5e-3, 7850.0, 193e9, 0.3, 1.0);
    const double loss = -std::log(0.95);
    plain.alpha = std::sqrt(5.0) * loss / std::hypot(std::numbers::pi, loss);
    plain.run(1.5e-3, 1e-7);
    for (const observers::SensorResult& sensor : finished.result.sensors) {
        const PlainPeak& peak = plain.velocity_peak[static_cast<std::size_t>(sensor.body)];
        CHECK_RELATIVE(sensor.peak_velocity, peak.value, 2e-5);
        CHECK_RELATIVE(sensor.peak_velocity_time, peak.time, 2e-5);
    }
    const auto velocity = [&](std::int64_t bead) { return at_bead(finished, bead).peak_velocity; };
    const auto arrival = [&](std::int64_t bead) { return at_bead(finished, bead).arrival_time; };
    const double length = 40.0 / std::log(velocity(40) / velocity(80));
    MESSAGE("decay length ", length, " beads");
    CHECK_RELATIVE(length, 96.6, 1e-3);
    CHECK_RELATIVE(20.0 / std::log(velocity(40) / velocity(60)), length, 1e-3);
    CHECK_RELATIVE((arrival(80) - arrival(70)) / (arrival(50) - arrival(40)),
                   std::exp(30.0 / (5.0 * length)), 1e-3);

    const Finished twice = run_config("damped", {"segment.0.velocity=2"});
    for (const std::int64_t bead : {10, 40, 80}) {
        CHECK_RELATIVE(at_bead(twice, bead).peak_velocity, 2.0 * velocity(bead), 1e-5);
        CHECK_RELATIVE(at_bead(twice, bead).arrival_time, std::pow(2.0, -0.2) * arrival(bead),
                       1e-5);
    }
}

TEST_CASE("elastoplastic_wall: restitution falls with speed as in Thornton's formula") {
    const double radius = 5e-3, modulus = 70e9 / (1.0 - 0.33 * 0.33),
                 mass = sphere_mass(radius, 2700.0);
    const double pressure = 1.61 * 300e6;
    const double yield_speed =
        std::pow(std::numbers::pi / (2.0 * modulus), 2) *
        std::sqrt(8.0 * std::numbers::pi * std::pow(radius, 3) / (15.0 * mass)) *
        std::pow(pressure, 2.5);
    MESSAGE("yield speed ", yield_speed, " m/s");
    for (const double speed : {0.5 * yield_speed, 0.99 * yield_speed, 0.05, 0.2, 1.0, 2.0}) {
        CAPTURE(speed);
        const Finished finished =
            run_config("elastoplastic_wall",
                       {fmt::format("segment.0.velocity={:.17g}", speed), "time.end=200e-6"});
        double restitution = 1.0;
        if (speed > yield_speed) {
            const double x = yield_speed / speed, x2 = x * x;
            restitution = std::sqrt(6.0 * std::sqrt(3.0) / 5.0) * std::sqrt(1.0 - x2 / 6.0) *
                          std::pow(x / (x + 2.0 * std::sqrt(1.2 - 0.2 * x2)), 0.25);
        }
        // The formula solves the law exactly; the difference comes from a thousand steps per
        // contact.
        CHECK_RELATIVE(-finished.engine->velocity()[0] / speed, restitution, 1e-4);
    }
}

}  // namespace beadwave::validation::configs_loss_test
