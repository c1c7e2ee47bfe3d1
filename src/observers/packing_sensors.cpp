#include "observers/packing_sensors.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {

PackingSensors::PackingSensors(const std::vector<std::int64_t>& particles, double interval,
                               double time_step, PackingSensorSink sink)
    : time_step_(time_step),
      schedule_(interval, time_step),
      sink_(std::move(sink)),
      force_(particles.size()),
      speed_(particles.size()),
      arrival_(particles.size()) {
    trace_.particles.assign(particles.begin(), particles.end());
}

void PackingSensors::record(std::int64_t first_step) {
    const std::size_t sensors = trace_.particles.size();
    if (sensors == 0) return;
    const std::size_t rows = trace_.force.size() / sensors;
    const auto size = [](const packing::Vec3& v) { return std::sqrt(dot(v, v)); };
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t s = 0; s < sensors; ++s) {
            const double force = size(trace_.force[row * sensors + s]);
            force_[s].add(force);
            arrival_[s].add(force);
            speed_[s].add(size(trace_.velocity[row * sensors + s]));
        }
    }
    if (!sink_) return;
    const std::int64_t end = first_step + static_cast<std::int64_t>(rows);
    for (std::int64_t step = std::max(first_step, schedule_.next()); step < end;
         step = schedule_.next()) {
        const auto row = static_cast<std::size_t>(step - first_step) * sensors;
        sink_(step, static_cast<double>(step) * time_step_, {trace_.force.data() + row, sensors},
              {trace_.velocity.data() + row, sensors});
        schedule_.done(step);
    }
}

std::vector<PackingSensorResult> PackingSensors::results(const packing::Packing& packing) const {
    std::vector<PackingSensorResult> results;
    for (std::size_t s = 0; s < trace_.particles.size(); ++s) {
        const std::size_t particle = trace_.particles[s];
        results.push_back({.particle = static_cast<std::int64_t>(particle),
                           .position = packing.position[particle],
                           .peak_force = force_[s].value(),
                           .arrival_time = arrival_[s].step() * time_step_,
                           .peak_speed = speed_[s].value(),
                           .peak_speed_time = speed_[s].step() * time_step_});
    }
    return results;
}

void PackingSensors::serialize(Archive& archive) {
    schedule_.serialize(archive);
    for (std::vector<Peak>* peaks : {&force_, &speed_}) {
        for (Peak& peak : *peaks)
            peak.serialize(archive);
    }
    for (Arrival& arrival : arrival_)
        arrival.serialize(archive);
}

}  // namespace beadwave::observers
