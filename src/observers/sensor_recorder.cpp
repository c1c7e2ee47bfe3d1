#include "observers/sensor_recorder.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace beadwave::observers {

SensorRecorder::SensorRecorder(std::vector<std::int64_t> beads, double interval, double time_step,
                               SensorSink sink)
    : beads_(std::move(beads)),
      time_step_(time_step),
      schedule_(interval, time_step),
      sink_(std::move(sink)),
      force_(beads_.size()),
      forward_(beads_.size()),
      backward_(beads_.size()),
      arrival_(beads_.size()) {
    trace_.beads.assign(beads_.begin(), beads_.end());
}

/// Peaks of `count` sensors at once, which are adjacent in the trace. This loop runs at every step.
template <std::size_t count>
void SensorRecorder::update_peaks(std::size_t first, std::size_t rows) {
    const std::size_t stride = beads_.size();
    const double* const force = trace_.force.data() + first;
    const double* const velocity = trace_.velocity.data() + first;
    constexpr double none = std::numeric_limits<double>::infinity();
    std::array<double, count> strongest, fastest, slowest;
    strongest.fill(-none);
    fastest.fill(-none);
    slowest.fill(none);
    for (std::size_t row = 0; row < rows; ++row) {
#pragma omp simd
        for (std::size_t s = 0; s < count; ++s) {
            const double f = force[row * stride + s];
            const double v = velocity[row * stride + s];
            strongest[s] = f > strongest[s] ? f : strongest[s];
            fastest[s] = v > fastest[s] ? v : fastest[s];
            slowest[s] = v < slowest[s] ? v : slowest[s];
        }
    }
    for (std::size_t s = 0; s < count; ++s) {
        force_[first + s].add(force + s, rows, stride, 1.0, strongest[s]);
        arrival_[first + s].add(force + s, rows, stride, strongest[s]);
        forward_[first + s].add(velocity + s, rows, stride, 1.0, fastest[s]);
        backward_[first + s].add(velocity + s, rows, stride, -1.0, -slowest[s]);
    }
}

void SensorRecorder::record(std::int64_t first_step) {
    const std::size_t sensors = beads_.size();
    if (sensors == 0) return;
    const std::size_t rows = trace_.force.size() / sensors;
    std::size_t s = 0;
    for (; s + 4 <= sensors; s += 4)
        update_peaks<4>(s, rows);
    for (; s < sensors; ++s)
        update_peaks<1>(s, rows);
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

std::vector<SensorResult> SensorRecorder::results(const chain::Chain& chain) const {
    std::vector<SensorResult> results;
    const std::vector<double> positions = chain.positions(beads_);
    for (std::size_t s = 0; s < beads_.size(); ++s) {
        const bool forward = forward_[s].value() >= backward_[s].value();
        const Peak& velocity = forward ? forward_[s] : backward_[s];
        results.push_back({.bead = beads_[s],
                           .position = positions[s],
                           .peak_force = force_[s].value(),
                           .arrival_time = arrival_[s].step() * time_step_,
                           .peak_velocity = forward ? velocity.value() : -velocity.value(),
                           .peak_velocity_time = velocity.step() * time_step_});
    }
    return results;
}

void SensorRecorder::serialize(Archive& archive) {
    schedule_.serialize(archive);
    for (std::vector<Peak>* peaks : {&force_, &forward_, &backward_}) {
        for (Peak& peak : *peaks)
            peak.serialize(archive);
    }
    for (Arrival& arrival : arrival_)
        arrival.serialize(archive);
}

double wave_speed(const SensorResult& from, const SensorResult& to) {
    const double time = to.arrival_time - from.arrival_time;
    if (time == 0.0) return std::numeric_limits<double>::quiet_NaN();
    return (to.position - from.position) / time;
}

}  // namespace beadwave::observers
