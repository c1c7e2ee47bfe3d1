#include "running/model.hpp"

#include "chain/build_chain.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace beadwave::running {

Settings settings_of(const chain::Scenario& scenario) {
    Settings settings{.end = scenario.time.end,
                      .step = scenario.time.step,
                      .sleep_speed = scenario.time.sleep_speed,
                      .settled = scenario.gravity && scenario.gravity->equilibrium,
                      .snapshot_interval = scenario.snapshot_interval,
                      .energy_interval = scenario.energy_interval};
    if (scenario.sensors) {
        settings.sensors = scenario.sensors->ids;
        settings.sensor_interval = scenario.sensors->interval;
    }
    return settings;
}

chain::Chain build_chain(const chain::Scenario& scenario) {
    // Chain and engine under Hertz's law, which needs least.
    constexpr double bytes_a_bead = 70.0;
    const double needed = bytes_a_bead * static_cast<double>(scenario.bead_count());
    const double memory =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (needed > memory) {
        scenario.origin.fail(
            "segment",
            fmt::format("{} beads need {:.0f} GB of memory or more; this machine has {:.0f}",
                        scenario.bead_count(), needed / 1e9, memory / 1e9));
    }
    return chain::build_chain(scenario);
}

dynamics::TimeStep choose_time_step(const chain::Scenario& scenario, const chain::Chain& chain) {
    try {
        return dynamics::choose_time_step(chain, settings_of(scenario).step_request());
    } catch (const dynamics::StepError& error) {
        scenario.origin.fail("time.step", error.what());
    }
}

}  // namespace beadwave::running
