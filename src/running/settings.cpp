#include "beadwave/running/settings.hpp"

#include <algorithm>

namespace beadwave::running {

dynamics::StepRequest Settings::step_request() const {
    const bool sampled = !sensors.empty() && sensor_interval;
    return {.end = end,
            .step = step,
            .interval = sampled ? std::min(*sensor_interval, end) : end,
            .settled = settled};
}

Settings settings_of(const chain::Scenario& scenario) {
    Settings settings{.end = scenario.time.end,
                      .step = scenario.time.step,
                      .sleep_speed = scenario.time.sleep_speed,
                      .settled = scenario.gravity && scenario.gravity->equilibrium,
                      .snapshot_interval = scenario.snapshot_interval,
                      .energy_interval = scenario.energy_interval};
    if (scenario.sensors) {
        settings.sensors = scenario.sensors->beads;
        settings.sensor_interval = scenario.sensors->interval;
    }
    return settings;
}

}  // namespace beadwave::running
