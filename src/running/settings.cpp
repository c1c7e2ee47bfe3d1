#include "beadwave/running/settings.hpp"

#include <algorithm>

namespace beadwave::running {

stepping::StepRequest Settings::step_request() const {
    const bool sampled = !sensors.empty() && sensor_interval;
    return {.end = end,
            .step = step,
            .interval = sampled ? std::min(*sensor_interval, end) : end,
            .starts_in_equilibrium = starts_in_equilibrium,
            .resolution = resolution};
}

}  // namespace beadwave::running
