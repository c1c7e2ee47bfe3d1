// Settings and time step of a packing's scenario.
#include "packing/time_step.hpp"
#include "running/packing_simulation.hpp"

namespace beadwave::running {

Settings settings_of(const packing::Scenario& scenario) {
    Settings settings{.end = scenario.time.end,
                      .step = scenario.time.step,
                      .snapshot_interval = scenario.snapshot_interval,
                      .energy_interval = scenario.energy_interval};
    if (scenario.sensors) {
        settings.sensors = scenario.sensors->ids;
        settings.sensor_interval = scenario.sensors->interval;
    }
    return settings;
}

dynamics::TimeStep choose_time_step(const packing::Scenario& scenario,
                                    const packing::Packing& packing) {
    try {
        return packing::choose_time_step(packing, settings_of(scenario).step_request());
    } catch (const dynamics::StepError& error) {
        scenario.origin.fail("time.step", error.what());
    }
}

}  // namespace beadwave::running
