#include "observers/comparison.hpp"

#include "observers/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace beadwave::observers {
namespace {

/// The peak of a hump, and the uncertainty of its height from the distance of samples.
struct PeakFit {
    double force, time, uncertainty;
};

/// Error of the height of the parabola through sample `at` and its neighbours: for a cubic, x (x^2
/// - 1) / 6 <= 1 / 15 of the third difference.
double height_uncertainty(std::span<const double> force, std::size_t at) {
    const auto third_difference = [&](std::size_t end) {
        return std::abs(force[end] - 3.0 * force[end - 1] + 3.0 * force[end - 2] - force[end - 3]);
    };
    const double before = at >= 2 ? third_difference(at + 1) : 0.0;
    const double after = at + 2 < force.size() ? third_difference(at + 2) : 0.0;
    return std::max(before, after) / 15.0;
}

/// The parabola through sample `at` and its neighbours.
PeakFit fit_peak(std::span<const double> time, std::span<const double> force, std::size_t at) {
    const PeakFit sample{force[at], time[at], 0.0};
    if (at == 0 || at + 1 == force.size()) return sample;
    const double before = time[at - 1] - time[at];
    const double after = time[at + 1] - time[at];
    const double slope_before = (force[at - 1] - force[at]) / before;
    const double slope_after = (force[at + 1] - force[at]) / after;
    const double bend = (slope_after - slope_before) / (after - before);
    if (!(bend < 0.0)) return sample;
    const double slope = slope_before - bend * before;
    const double shift = -0.5 * slope / bend;
    const double height = force[at] + 0.5 * slope * shift;
    return {height, time[at] + shift, height_uncertainty(force, at)};
}

}  // namespace

double noise_of(std::span<const double> force) {
    std::vector<double> differences;
    for (std::size_t i = 4; i < force.size(); ++i) {
        differences.push_back(std::abs(force[i] - 4.0 * force[i - 1] + 6.0 * force[i - 2] -
                                       4.0 * force[i - 3] + force[i - 4]));
    }
    if (differences.empty()) return 0.0;
    const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
    std::ranges::nth_element(differences, middle);
    return *middle / (0.6745 * std::sqrt(70.0));  // for normal noise; 70 = 1 + 16 + 36 + 16 + 1
}

SensorPeak measured_peak(std::span<const double> time, std::span<const double> force) {
    const auto at = static_cast<std::size_t>(std::ranges::max_element(force) - force.begin());
    // Noise must not count as humps: between two humps the force falls by more than this.
    const double ripple = 4.0 * noise_of(force);
    PeakFit arrival{};
    bool any = false;
    const auto take = [&](std::size_t sample) {
        const PeakFit top = fit_peak(time, force, sample);
        const double clearly = clearly_higher * (arrival.force - force[0]) + arrival.uncertainty +
                               top.uncertainty + ripple;
        if (!any || top.force > arrival.force + clearly) arrival = top;
        any = true;
    };
    std::size_t top = 0, low = 0;
    bool climbs = true;
    for (std::size_t i = 1; i < force.size(); ++i) {
        if (force[i] < force[low]) low = i;
        if (climbs && force[i] > force[top]) top = i;
        if (climbs && force[i] < force[top] - ripple) {
            take(top);
            climbs = false;
            low = i;
        } else if (!climbs && force[i] > force[low] + ripple) {
            climbs = true;
            top = i;
        }
    }
    if (climbs) take(top);
    return {fit_peak(time, force, at).force, arrival.time};
}

double threshold_time(std::span<const double> time, std::span<const double> force,
                      double threshold) {
    const double level = force[0] + threshold;
    for (std::size_t i = 1; i < force.size(); ++i) {
        if (!(force[i] > level)) continue;
        const double part = (force[i] - level) / (force[i] - force[i - 1]);
        return time[i] - part * (time[i] - time[i - 1]);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<SensorError> sensor_errors(std::span<const SensorPeak> simulated,
                                       std::span<const SensorPeak> measured) {
    std::vector<SensorError> errors;
    for (std::size_t s = 0; s < simulated.size(); ++s) {
        const double simulated_delay = simulated[s].time - simulated[0].time;
        const double measured_delay = measured[s].time - measured[0].time;
        errors.push_back(
            {.peak_force = std::abs(simulated[s].force - measured[s].force) / measured[s].force,
             .arrival = simulated_delay - measured_delay});
    }
    return errors;
}

}  // namespace beadwave::observers
