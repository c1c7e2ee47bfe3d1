#include "mechanism/run_length.hpp"

#include "base/long_run.hpp"
#include "mechanism/time_stepping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {

double least_wall_time(const Mechanism& mechanism) {
    double highest = 0.0;  // frequency [Hz]
    for (const Force& force : mechanism.forces)
        highest = std::max(highest, std::abs(force.oscillation.frequency));
    for (const Torque& torque : mechanism.torques)
        highest = std::max(highest, std::abs(torque.oscillation.frequency));
    const auto samples = static_cast<double>(samples_of(mechanism));
    const double steps = mechanism.stepping ? time_steps_of(mechanism) : 0.0;
    return least_mechanism_step_cost * std::max({samples, highest * mechanism.end, steps});
}

void RunLength::step_ends(double time, double fastest) {
    constexpr std::int64_t looked_at = 10'000;
    if (any_) return;
    if (fastest > speed_of_light) {
        throw std::runtime_error(fmt::format(
            "at {:.6g} s the mechanism moves at {:.2g} m/s, faster than light: a force, a velocity "
            "or another number is far too large, or a mass too small; --yes (in Python yes=True) "
            "runs it all the same",
            time, fastest));
    }
    if (first_ < 0.0) {
        first_ = time;
        return;
    }
    if (++steps_ < looked_at) return;
    const double mean = (time - first_) / static_cast<double>(looked_at);
    const double seconds = least_mechanism_step_cost * (end_ - time) / mean;
    if (seconds > longest_unasked_run) {
        throw std::runtime_error(fmt::format(
            "at {:.6g} s the last {} steps were {:.2g} s long on average: a spring, damper, force "
            "or contact is that fast. With such steps the run {}",
            time, looked_at, mean, too_long_text(seconds)));
    }
    first_ = time;
    steps_ = 0;
}

}  // namespace beadwave::mechanism
