// A steady wave has one speed, whether its force has one peak (exponent 1.5) or two equal ones
// (from about 1.75 on).

#include "chain/build_chain.hpp"
#include "dynamics/tiled/tiled_engine.hpp"
#include "observers/comparison.hpp"
#include "relative.hpp"
#include "running/chain_system.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace beadwave::validation::two_humps_test {

namespace {

/// A steady wave passes six sensors, five beads apart.
chain::Scenario steady_wave(double exponent, double step) {
    // The stiffness makes the wave pass a bead in about 20 us with each exponent.
    const double stiffness = exponent == 1.5 ? 1.0e10 : exponent == 2.0 ? 2.0e12 : 1e17;
    chain::Scenario scenario = steel_chain(
        140, 1.0, law_settings("power-law", {{"exponent", exponent}, {"stiffness", stiffness}}),
        1.4e-3);
    for (chain::Segment& segment : scenario.segments) {
        segment.radius = 5e-3;
        segment.mass = 4.11e-3;
    }
    scenario.time.step = step;
    scenario.sensors = scenario::Sensors{.ids = {40, 45, 50, 55, 60, 65}, .interval = 1e-6};
    return scenario;
}

using Engines = std::function<std::unique_ptr<dynamics::Engine>(const chain::Chain&, double step)>;

std::vector<observers::SensorResult> sensors_of(const chain::Scenario& scenario,
                                                const Engines& make,
                                                const running::Sinks& sinks = {}) {
    const chain::Chain chain = chain::build_chain(scenario);
    const stepping::TimeStep step = running::choose_time_step(scenario, chain);
    const auto engine = make(chain, step.step);
    return running::simulate(running::settings_of(scenario), chain, step, *engine, sinks).sensors;
}

/// The plain engine, and the tiled engine on every instruction set of this processor.
std::vector<Engines> engines() {
    std::vector<Engines> all = {[](const chain::Chain& chain, double step) {
        return dynamics::make_plain_engine(chain, step);
    }};
    for (const simd::InstructionSet& set : simd::instruction_sets()) {
        all.emplace_back([&set](const chain::Chain& chain, double step) {
            return dynamics::make_tiled_engine(chain, step, 1, {}, set);
        });
    }
    return all;
}

}  // namespace

TEST_CASE("a steady wave has one speed between any two sensors, whatever the rounding") {
    for (const double exponent : {1.5, 2.0, 3.0}) {
        CAPTURE(exponent);
        double everywhere = 0.0;
        for (const double step : {4e-8, 4.007e-8}) {
            std::vector<double> first;
            for (const Engines& make : engines()) {
                const auto sensors = sensors_of(steady_wave(exponent, step), make);
                // The velocity of the bead has one peak with every exponent. It gives the speed
                // independently.
                const double speed =
                    (sensors[5].position - sensors[0].position) /
                    (sensors[5].peak_velocity_time - sensors[0].peak_velocity_time);
                if (everywhere == 0.0) everywhere = speed;
                CHECK_RELATIVE(speed, everywhere, 1e-4);
                for (std::size_t a = 0; a < sensors.size(); ++a) {
                    for (std::size_t b = a + 1; b < sensors.size(); ++b) {
                        CHECK_RELATIVE(observers::wave_speed(sensors[a], sensors[b]), everywhere,
                                       1e-3);
                    }
                    // Engines differ in the last digits of the force. With a peak hundreds of steps
                    // wide, these move the parabola by about 1e-6 steps.
                    if (first.size() <= a) first.push_back(sensors[a].arrival_time);
                    CHECK_ABSOLUTE(sensors[a].arrival_time, first[a], 1e-3 * step);
                }
            }
        }
        MESSAGE("exponent ", exponent, ": ", everywhere, " m/s");
    }
}

TEST_CASE("the arrival and the largest force of samples are those of all steps") {
    for (const double exponent : {1.5, 2.0, 3.0}) {
        CAPTURE(exponent);
        for (const double interval : {2e-7, 1e-6, 2e-6}) {
            CAPTURE(interval);
            chain::Scenario scenario = steady_wave(exponent, 4e-8);
            scenario.sensors->interval = interval;
            std::vector<double> time;
            std::vector<std::vector<double>> force(6);
            running::Sinks sinks;
            sinks.sensors = [&](auto, double now, auto forces, auto) {
                time.push_back(now);
                for (std::size_t s = 0; s < 6; ++s)
                    force[s].push_back(forces[s]);
            };
            const auto sensors = sensors_of(scenario, engines().back(), sinks);
            for (std::size_t s = 0; s < 6; ++s) {
                const auto peak = observers::measured_peak(time, force[s]);
                // The error of the parabola is a small part of the sampling interval.
                CHECK_ABSOLUTE(peak.time, sensors[s].arrival_time, 0.15 * interval);
                CHECK_RELATIVE(peak.force, sensors[s].peak_force, interval > 1e-6 ? 2e-3 : 2e-4);
            }
        }
    }
}

}  // namespace beadwave::validation::two_humps_test
