#include "beadwave/observers/comparison.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

MeasuredPeak measured_peak(std::span<const double> time, std::span<const double> force) {
    const auto at = static_cast<std::size_t>(std::ranges::max_element(force) - force.begin());
    if (at == 0 || at + 1 == force.size()) return {force[at], time[at]};
    // The parabola through the largest sample and its neighbours.
    const double before = time[at - 1] - time[at];
    const double after = time[at + 1] - time[at];
    const double slope_before = (force[at - 1] - force[at]) / before;
    const double slope_after = (force[at + 1] - force[at]) / after;
    const double bend = (slope_after - slope_before) / (after - before);
    if (!(bend < 0.0)) return {force[at], time[at]};
    const double slope = slope_before - bend * before;
    const double shift = -0.5 * slope / bend;
    return {force[at] + 0.5 * slope * shift, time[at] + shift};
}

std::vector<SensorError> sensor_errors(std::span<const SensorResult> simulated,
                                       std::span<const MeasuredPeak> measured) {
    std::vector<SensorError> errors;
    for (std::size_t s = 0; s < simulated.size(); ++s) {
        const double simulated_delay = simulated[s].peak_force_time - simulated[0].peak_force_time;
        const double measured_delay = measured[s].time - measured[0].time;
        errors.push_back({.peak_force = std::abs(simulated[s].peak_force - measured[s].force) /
                                        measured[s].force,
                          .arrival = simulated_delay - measured_delay});
    }
    return errors;
}

}  // namespace beadwave::observers
