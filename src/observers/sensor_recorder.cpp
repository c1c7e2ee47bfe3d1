#include "observers/sensor_recorder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace beadwave::observers {

SensorRecorder::SensorRecorder(std::vector<std::int64_t> bodies, double interval, double time_step,
                               std::size_t components, double arrival_threshold)
    : bodies_(std::move(bodies)),
      time_step_(time_step),
      components_(components),
      schedule_(interval, time_step),
      force_(bodies_.size()),
      forward_(bodies_.size()),
      backward_(bodies_.size()),
      arrival_(bodies_.size(), Arrival(arrival_threshold)) {}

namespace {

/// The extremes of adjacent columns of a trace.
template <std::size_t columns>
struct Extremes {
    static constexpr double none = std::numeric_limits<double>::infinity();
    std::array<double, columns> strongest, fastest, slowest;

    Extremes() {
        strongest.fill(-none);
        fastest.fill(-none);
        slowest.fill(none);
    }
    void include(const double* force, const double* velocity) {
#pragma omp simd
        for (std::size_t s = 0; s < columns; ++s) {
            const double f = force[s], v = velocity[s];
            strongest[s] = f > strongest[s] ? f : strongest[s];
            fastest[s] = v > fastest[s] ? v : fastest[s];
            slowest[s] = v < slowest[s] ? v : slowest[s];
        }
    }
};

}  // namespace

/// Peaks of `count` sensors, which are adjacent in the trace, from `at_once` rows at a time. If
/// these are several, there are no other sensors. This loop runs at every step.
template <std::size_t count, std::size_t at_once>
void SensorRecorder::update_peaks(const double* force, const double* velocity, std::size_t first,
                                  std::size_t rows) {
    const std::size_t stride = bodies_.size();
    force += first;
    velocity += first;
    Extremes<count * at_once> found;
    std::size_t row = 0;
    for (; row + at_once <= rows; row += at_once)
        found.include(force + row * stride, velocity + row * stride);
    Extremes<count> all;
    for (; row < rows; ++row)
        all.include(force + row * stride, velocity + row * stride);
    for (std::size_t k = 0; k < count * at_once; ++k) {
        const std::size_t s = k % count;
        all.strongest[s] = std::max(all.strongest[s], found.strongest[k]);
        all.fastest[s] = std::max(all.fastest[s], found.fastest[k]);
        all.slowest[s] = std::min(all.slowest[s], found.slowest[k]);
    }
    for (std::size_t s = 0; s < count; ++s) {
        update(first + s, {force + s, velocity + s, rows, stride, all.strongest[s], all.fastest[s],
                           all.slowest[s]});
    }
}

void SensorRecorder::update(std::size_t sensor, const SensorRows& in) {
    force_[sensor].add(in.force, in.rows, in.stride, 1.0, in.strongest, in.strongest_row);
    arrival_[sensor].add(in.force, in.rows, in.stride, in.strongest);
    forward_[sensor].add(in.velocity, in.rows, in.stride, 1.0, in.fastest, in.fastest_row);
    backward_[sensor].add(in.velocity, in.rows, in.stride, -1.0, -in.slowest, in.slowest_row);
}

void SensorRecorder::record(const dynamics::LaneTrace& trace) {
    constexpr double none = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < bodies_.size(); ++s) {
        const std::size_t extreme = trace.place[s] * trace.row;
        const double* const force = trace.force + extreme * trace.rows;
        const double* const velocity = trace.velocity + extreme * trace.rows;
        const std::size_t first = trace.first[trace.place[s]], to_first = first * trace.row;
        if (first > 0) update(s, {force, velocity, first, trace.row, -none, -none, none});
        if (first == trace.rows) continue;
        const auto row = [&](const double* rows) {
            const auto begin = static_cast<std::size_t>(rows[extreme]);
            return begin - std::min(begin, first);
        };
        update(s, {.force = force + to_first,
                   .velocity = velocity + to_first,
                   .rows = trace.rows - first,
                   .stride = trace.row,
                   .strongest = trace.strongest[extreme],
                   .fastest = trace.fastest[extreme],
                   .slowest = trace.slowest[extreme],
                   .strongest_row = row(trace.strongest_row),
                   .fastest_row = row(trace.fastest_row),
                   .slowest_row = row(trace.slowest_row)});
    }
}

void SensorRecorder::set_limits(const dynamics::LaneLimits& limits) const {
    for (std::size_t s = 0; s < bodies_.size(); ++s) {
        const std::size_t at = limits.place[s] * limits.row;
        limits.strongest[at] = std::min(force_[s].limit(), arrival_[s].limit());
        limits.fastest[at] = forward_[s].limit();
        limits.slowest[at] = -backward_[s].limit();
    }
}

void SensorRecorder::update_all(const double* force, const double* velocity, std::size_t rows) {
    if (bodies_.size() == 1) return update_peaks<1, 8>(force, velocity, 0, rows);
    if (bodies_.size() == 2) return update_peaks<2, 4>(force, velocity, 0, rows);
    std::size_t s = 0;
    for (; s + 4 <= bodies_.size(); s += 4)
        update_peaks<4>(force, velocity, s, rows);
    for (; s < bodies_.size(); ++s)
        update_peaks<1>(force, velocity, s, rows);
}

void SensorRecorder::record(std::int64_t first_step, std::span<const double> force,
                            std::span<const double> velocity, recording::Store* store) {
    if (bodies_.empty()) return;
    const std::size_t row_size = bodies_.size() * components_, rows = force.size() / row_size;
    if (components_ == 1) {
        update_all(force.data(), velocity.data(), rows);
    } else {
        const auto sizes = [](std::span<const double> vectors, std::vector<double>& to) {
            to.resize(vectors.size() / 3);
            for (std::size_t i = 0; i < to.size(); ++i) {
                const double *v = &vectors[3 * i], x = v[0], y = v[1], z = v[2];
                to[i] = std::sqrt(x * x + y * y + z * z);
            }
        };
        sizes(force, force_sizes_);
        sizes(velocity, speeds_);
        update_all(force_sizes_.data(), speeds_.data(), rows);
    }
    if (store != nullptr) take_samples(first_step, rows, force, velocity, *store);
}

void SensorRecorder::take_samples(std::int64_t first_step, std::size_t rows,
                                  std::span<const double> force, std::span<const double> velocity,
                                  recording::Store& store) {
    const std::int64_t end = first_step + static_cast<std::int64_t>(rows);
    std::size_t count = 0;
    steps_.resize(rows);
    recording::Schedule schedule = schedule_;  // in registers
    for (std::int64_t step = std::max(first_step, schedule.next()); step < end;
         step = schedule.next()) {
        steps_[count++] = step;
        schedule.done(step);
    }
    schedule_ = schedule;
    steps_.resize(count);
    if (count == 0) return;
    times_.resize(count);
    for (std::size_t k = 0; k < count; ++k)
        times_[k] = static_cast<double>(steps_[k]) * time_step_;

    const std::size_t row_size = force.size() / rows;
    const auto due = [&](std::span<const double> all, std::vector<double>& picked) {
        if (count == rows) return all;
        picked.resize(count * row_size);
        for (std::size_t k = 0; k < count; ++k) {
            const auto row = static_cast<std::size_t>(steps_[k] - first_step);
            std::copy_n(&all[row * row_size], row_size, &picked[k * row_size]);
        }
        return std::span<const double>(picked);
    };
    const std::span<const double> forces = due(force, due_forces_),
                                  velocities = due(velocity, due_velocities_);
    force_row_ = forces;
    velocity_row_ = velocities;
    if (store.samples(recording::Pace::sensors, steps_, times_)) return;
    for (std::size_t k = 0; k < count; ++k) {
        force_row_ = forces.subspan(k * row_size, row_size);
        velocity_row_ = velocities.subspan(k * row_size, row_size);
        store.sample(recording::Pace::sensors, steps_[k], times_[k]);
    }
}

std::vector<SensorResult> SensorRecorder::results(const std::vector<double>& position) const {
    constexpr double no_time = std::numeric_limits<double>::quiet_NaN();
    std::vector<SensorResult> results;
    for (std::size_t s = 0; s < bodies_.size(); ++s) {
        const bool forward = forward_[s].value() >= backward_[s].value();
        const Peak& velocity = forward ? forward_[s] : backward_[s];
        const double moved = velocity.value() != 0.0 ? velocity.step() : no_time;
        results.push_back({.body = bodies_[s],
                           .position = position.empty() ? 0.0 : position[s],
                           .peak_force = force_[s].value(),
                           .arrival_time = arrival_[s].step() * time_step_,
                           .earlier_hump_time = arrival_[s].earlier_step() * time_step_,
                           .peak_velocity = forward ? velocity.value() : -velocity.value(),
                           .peak_velocity_time = moved * time_step_,
                           .peak_force_missed = force_[s].missed(),
                           .force_rise_at_end = force_[s].rise_at_end(),
                           .speed_rise_at_end = velocity.rise_at_end()});
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
