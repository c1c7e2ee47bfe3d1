#include "beadwave/observers/sensors.hpp"

#include <limits>

namespace beadwave::observers {

Sensors::Sensors(std::vector<std::int64_t> beads, double interval, double time_step, SensorSink sink)
    : beads_(std::move(beads)),
      time_step_(time_step),
      schedule_(interval, time_step),
      sink_(std::move(sink)),
      force_(beads_.size()),
      forward_(beads_.size()),
      backward_(beads_.size()) {
    trace_.beads.assign(beads_.begin(), beads_.end());
}

void Sensors::see(std::int64_t first_step) {
    const std::size_t sensors = beads_.size();
    if (sensors == 0) return;
    const std::size_t rows = trace_.force.size() / sensors;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::span<const double> force(trace_.force.data() + row * sensors, sensors);
        const std::span<const double> velocity(trace_.velocity.data() + row * sensors, sensors);
        for (std::size_t s = 0; s < sensors; ++s) {
            force_[s].see(force[s]);
            forward_[s].see(velocity[s]);
            backward_[s].see(-velocity[s]);
        }
        const std::int64_t step = first_step + static_cast<std::int64_t>(row);
        if (sink_ && schedule_.due(step)) {
            sink_(step, static_cast<double>(step) * time_step_, force, velocity);
            schedule_.done(step);
        }
    }
}

std::vector<SensorResult> Sensors::results(const chain::Chain& chain) const {
    std::vector<SensorResult> results;
    for (std::size_t s = 0; s < beads_.size(); ++s) {
        const bool forward = forward_[s].value() >= backward_[s].value();
        const Peak& velocity = forward ? forward_[s] : backward_[s];
        results.push_back({.bead = beads_[s],
                           .position = chain.position[static_cast<std::size_t>(beads_[s])],
                           .peak_force = force_[s].value(),
                           .peak_force_time = force_[s].step() * time_step_,
                           .peak_velocity = forward ? velocity.value() : -velocity.value(),
                           .peak_velocity_time = velocity.step() * time_step_});
    }
    return results;
}

double wave_speed(const SensorResult& from, const SensorResult& to) {
    const double time = to.peak_force_time - from.peak_force_time;
    if (time == 0.0) return std::numeric_limits<double>::quiet_NaN();
    return (to.position - from.position) / time;
}

}  // namespace beadwave::observers
