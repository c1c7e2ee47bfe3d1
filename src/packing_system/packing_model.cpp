// Settings and time step of a packing's scenario.
#include "beadwave/argument_error.hpp"
#include "packing/step/time_step.hpp"
#include "packing_system/packing_simulation.hpp"
#include "running/chain_system.hpp"
#include "running/sample_counts.hpp"

namespace beadwave::running {

PackingSettings settings_of(const packing::Scenario& scenario) {
    PackingSettings settings = settings_of(static_cast<const scenario::Common&>(scenario));
    if (scenario.measures) {
        settings.measure_interval =
            scenario.measures->interval.value_or(settings.end / standard_sensor_samples);
        settings.field_grid = scenario.measures->grid;
    }
    settings.impacts = scenario.impacts;
    settings.wear = scenario.wear;
    settings.heat = scenario.heat.has_value();
    return settings;
}

stepping::TimeStep choose_time_step(const packing::Scenario& scenario,
                                    const packing::Packing& packing, ranks::Communicator* ranks) {
    try {
        return packing::choose_time_step(packing, settings_of(scenario).step_request(), ranks);
    } catch (const stepping::StepError& error) {
        scenario.origin.fail("time.step", error.what());
    } catch (const ArgumentError& error) {
        scenario.origin.fail("particles", error.what());
    }
}

}  // namespace beadwave::running
