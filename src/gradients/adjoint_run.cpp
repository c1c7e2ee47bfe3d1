#include "gradients/adjoint_run.hpp"

#include "beadwave/running/run_error.hpp"
#include "simd/clones.hpp"
#include "simd/flush_subnormals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::gradients {
namespace {

// The lines of a step, reversed, for all beads or contacts. Beads are at i + 1 of `push`, whose
// ends are 0.

/// v = h + w, and w = kick (F_i - F_(i+1) + load).
BEADWAVE_CLONES void reverse_kick(std::size_t n, const double* __restrict kick,
                                  const double* __restrict velocity_bar,
                                  const double* __restrict change_bar,
                                  const double* __restrict force,
                                  const double* __restrict body_force, double* __restrict push,
                                  double* __restrict kick_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        const double bar = change_bar[i] + velocity_bar[i];
        push[i] = kick[i] * bar;
        kick_bar[i] += bar * (force[i] - force[i + 1] + body_force[i]);
    }
}

/// The derivatives by the force of each contact, from `push` of the beads on its two sides.
BEADWAVE_CLONES void spread_push(std::size_t contacts, const double* __restrict push,
                                 double* __restrict force_bar) {
    for (std::size_t c = 0; c < contacts; ++c)
        force_bar[c] = push[c + 1] - push[c];
}

/// Overlap and predicted velocity, p = h + w, u += dt h, h = v + w.
BEADWAVE_CLONES void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                                   const double* __restrict speed_bar,
                                   double* __restrict displacement_bar,
                                   double* __restrict velocity_bar, double* __restrict change_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        const double predicted = speed_bar[i + 1] - speed_bar[i];
        displacement_bar[i] += overlap_bar[i + 1] - overlap_bar[i];
        const double half = velocity_bar[i] + predicted + dt * displacement_bar[i];
        velocity_bar[i] = half;
        change_bar[i] = half + predicted;
    }
}

BEADWAVE_CLONES void reverse_drift(std::size_t n, double dt, const double* __restrict overlap_bar,
                                   double* __restrict displacement_bar,
                                   double* __restrict velocity_bar, double* __restrict change_bar) {
    for (std::size_t i = 0; i < n; ++i) {
        displacement_bar[i] += overlap_bar[i + 1] - overlap_bar[i];
        const double half = velocity_bar[i] + dt * displacement_bar[i];
        velocity_bar[i] = half;
        change_bar[i] = half;
    }
}

BEADWAVE_CLONES void subtract(std::size_t count, const double* __restrict x,
                              double* __restrict from) {
    for (std::size_t c = 0; c < count; ++c)
        from[c] -= x[c];
}

}  // namespace

struct AdjointRun::Bars {
    Bars(const Steps& steps, std::size_t memory_numbers)
        : numbers(steps.numbers()),
          displacement(steps.beads(), 0.0),
          velocity(steps.beads(), 0.0),
          change(steps.beads(), 0.0),
          kick(steps.beads(), 0.0),
          body_force(steps.beads()),
          push(steps.beads() + 2, 0.0),
          force(steps.beads() + 1, 0.0),
          energy(steps.beads() + 1, 0.0),
          overlap(steps.beads() + 1, 0.0),
          approach_speed(steps.beads() + 1, 0.0),
          overlap_before(steps.beads() + 1, 0.0),
          blow(steps.beads() + 1, 0.0),
          memory(memory_numbers, std::vector<double>(steps.beads() + 1, 0.0)) {
        for (std::size_t i = 0; i < steps.beads(); ++i)
            body_force[i] = steps.body_force(i);
        for (const std::vector<double>& column : steps.numbers().law)
            law_columns.push_back(column.data());
        numbers.clear();
        for (std::vector<double>& column : numbers.law)
            law_bar.push_back(column.data());
        for (std::vector<double>& column : memory)
            memory_bar.push_back(column.data());
    }

    /// Contacts of a step with these readings.
    ReverseContacts view(const StepRecord& record, double time_step) {
        memory_columns.clear();
        for (const std::vector<double>& column : record.memory)
            memory_columns.push_back(column.data());
        return {.count = force.size(),
                .law = law_columns.data(),
                .overlap = record.overlap.data(),
                .approach_speed =
                    record.approach_speed.empty() ? overlap.data() : record.approach_speed.data(),
                .memory = memory_columns.data(),
                .force_bar = force.data(),
                .energy_bar = has_energy ? energy.data() : nullptr,
                .memory_bar = memory_bar.data(),
                .overlap_bar = overlap.data(),
                .approach_speed_bar = approach_speed.data(),
                .law_bar = law_bar.data(),
                .time_step = time_step,
                .overlap_before = nullptr,
                .approach_speed_before = nullptr,
                .blow_bar = blow.data(),
                .overlap_before_bar = overlap_before.data()};
    }

    MotionNumbers numbers;  // results
    std::vector<double> displacement, velocity, change;
    std::vector<double> kick, body_force;
    std::vector<double> push, force, energy, overlap, approach_speed, overlap_before, blow;
    std::vector<std::vector<double>> memory;
    std::vector<const double*> law_columns, memory_columns;
    std::vector<double*> law_bar, memory_bar;
    bool has_energy = false;
};

AdjointRun::AdjointRun(const chain::Chain& chain, const MotionNumbers& numbers, double time_step,
                       std::int64_t steps, std::vector<Channel> channels,
                       std::vector<EnergyWindow> energies, Stop stop)
    : steps_(chain, numbers, time_step),
      count_(steps),
      stride_(static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(steps))))),
      channels_(std::move(channels)),
      windows_(std::move(energies)),
      stop_(std::move(stop)) {
    stride_ = std::max<std::int64_t>(stride_, 1);
}

double AdjointRun::reading(const Channel& channel) const {
    const std::vector<double>& force = steps_.force();
    switch (channel.kind) {
        case Channel::Kind::contact_force:
            return force[channel.index];
        case Channel::Kind::sensor_force:
            return 0.5 * (force[channel.index] + force[channel.index + 1]);
        case Channel::Kind::velocity:
            break;
    }
    return steps_.velocity()[channel.index];
}

void AdjointRun::read() {
    for (std::size_t k = 0; k < channels_.size(); ++k)
        readings_[k].push_back(reading(channels_[k]));
}

double AdjointRun::energy_of(const EnergyWindow& window) const {
    const std::vector<double>&v = steps_.velocity(), &m = steps_.numbers().mass;
    double energy = 0.0;
    for (std::size_t i = window.first_bead; i <= window.last_bead; ++i)
        energy += 0.5 * m[i] * v[i] * v[i];
    const std::vector<double> stored = steps_.stored_energy();
    for (std::size_t c = window.first_bead + 1; c <= window.last_bead; ++c)
        energy += stored[c];
    return energy;
}

void AdjointRun::forward(bool keep) {
    const simd::FlushSubnormals flush;
    steps_.start();
    readings_.assign(channels_.size(), {});
    energy_.assign(windows_.size(), 0.0);
    stored_.clear();
    read();
    for (std::int64_t step = 0; step < count_; ++step) {
        if (step % stride_ == 0) {
            if (stop_ && stop_()) throw running::RunError("interrupted");
            if (!steps_.finite())
                throw running::RunError(fmt::format(
                    "the motion is not finite after {} steps; expected a shorter time.step", step));
            for (const double x : steps_.overlap())
                largest_overlap_ = std::max(largest_overlap_, x);
            if (keep) {
                Stored& one = stored_.emplace_back();
                steps_.save(one.state);
                if (steps_.kernel().may_jump) {
                    one.before.overlap = steps_.overlap();
                    one.before.approach_speed = steps_.approach_speed();
                }
            }
        }
        steps_.advance();
        read();
        for (std::size_t k = 0; k < windows_.size(); ++k) {
            if (windows_[k].window.contains(step + 1))
                energy_[k] +=
                    energy_of(windows_[k]) / static_cast<double>(windows_[k].window.count());
        }
    }
    if (!steps_.finite())
        throw running::RunError(
            "the motion is not finite at the end; expected a shorter time.step");
}

void AdjointRun::add_energies(std::int64_t step, const StepRecord& record, Bars& bars) const {
    bars.has_energy = false;
    for (const EnergyWindow& each : windows_) {
        if (!each.window.contains(step)) continue;
        if (!std::exchange(bars.has_energy, true)) std::ranges::fill(bars.energy, 0.0);
        const double bar = each.weight / static_cast<double>(each.window.count());
        for (std::size_t i = each.first_bead; i <= each.last_bead; ++i) {
            const double v = record.velocity[i];
            bars.velocity[i] += bar * steps_.numbers().mass[i] * v;
            bars.numbers.mass[i] += bar * 0.5 * v * v;
        }
        for (std::size_t c = each.first_bead + 1; c <= each.last_bead; ++c)
            bars.energy[c] += bar;
    }
}

void AdjointRun::add_forces(std::int64_t step, const Readings& seeds, Bars& bars) const {
    for (std::size_t k = 0; k < channels_.size(); ++k) {
        const std::size_t i = channels_[k].index;
        const double seed = seeds[k][static_cast<std::size_t>(step)];
        if (channels_[k].kind == Channel::Kind::contact_force) bars.force[i] += seed;
        if (channels_[k].kind == Channel::Kind::sensor_force) {
            bars.force[i] += 0.5 * seed;
            bars.force[i + 1] += 0.5 * seed;
        }
    }
}

void AdjointRun::reverse_step(std::int64_t step, const StepRecord& record, const StepRecord* before,
                              const Readings& seeds, Bars& bars) const {
    const std::size_t n = steps_.beads();
    const auto at = static_cast<std::size_t>(step);
    const std::vector<double>& kick = steps_.kick();
    for (std::size_t k = 0; k < channels_.size(); ++k) {
        if (channels_[k].kind == Channel::Kind::velocity)
            bars.velocity[channels_[k].index] += seeds[k][at];
    }
    add_energies(step, record, bars);
    reverse_kick(n, kick.data(), bars.velocity.data(), bars.change.data(), record.force.data(),
                 bars.body_force.data(), bars.push.data() + 1, bars.kick.data());
    if (steps_.numbers().gravity != 0.0) {
        for (std::size_t i = 0; i < n; ++i)
            bars.numbers.load[i] += bars.push[i + 1];
    }
    spread_push(n + 1, bars.push.data(), bars.force.data());
    add_forces(step, seeds, bars);
    ReverseContacts contacts = bars.view(record, steps_.time_step());
    const bool jumps = steps_.kernel().may_jump;
    if (jumps) {
        contacts.overlap_before = before->overlap.data();
        contacts.approach_speed_before = before->approach_speed.data();
        const double per_kick = 2.0 / steps_.time_step();  // 1/m = 2 kick / dt
        for (std::size_t c = 0; c <= n; ++c) {
            const double right = c < n ? kick[c] * bars.velocity[c] : 0.0;
            const double left = c > 0 ? kick[c - 1] * bars.velocity[c - 1] : 0.0;
            bars.blow[c] = per_kick * (right - left);
        }
    }
    steps_.kernel().reverse(contacts);
    if (steps_.kernel().uses_speed) {
        reverse_drift(n, steps_.time_step(), bars.overlap.data(), bars.approach_speed.data(),
                      bars.displacement.data(), bars.velocity.data(), bars.change.data());
    } else {
        reverse_drift(n, steps_.time_step(), bars.overlap.data(), bars.displacement.data(),
                      bars.velocity.data(), bars.change.data());
    }
    subtract(n + 1, bars.overlap.data(), bars.numbers.gap.data());
    if (!jumps) return;
    for (std::size_t i = 0; i < n; ++i)
        bars.displacement[i] += bars.overlap_before[i + 1] - bars.overlap_before[i];
    subtract(n + 1, bars.overlap_before.data(), bars.numbers.gap.data());
}

/// w = kick (F_i - F_(i+1) + load) with the forces of the start, for which the law was asked twice.
void AdjointRun::reverse_start(const Readings& seeds, Bars& bars) {
    const std::size_t n = steps_.beads();
    StepRecord record;
    steps_.start(&record);
    const std::vector<double> none(n, 0.0);
    bars.has_energy = false;
    reverse_kick(n, steps_.kick().data(), none.data(), bars.change.data(), record.force.data(),
                 bars.body_force.data(), bars.push.data() + 1, bars.kick.data());
    if (steps_.numbers().gravity != 0.0) {
        for (std::size_t i = 0; i < n; ++i)
            bars.numbers.load[i] += bars.push[i + 1];
    }
    spread_push(n + 1, bars.push.data(), bars.force.data());
    add_forces(0, seeds, bars);
    std::ranges::fill(bars.blow, 0.0);
    for (int time = 0; time < 2; ++time) {
        steps_.kernel().reverse(bars.view(record, steps_.time_step()));
        subtract(n + 1, bars.overlap.data(), bars.numbers.gap.data());
        for (std::size_t i = 0; i < n; ++i)
            bars.velocity[i] += bars.approach_speed[i + 1] - bars.approach_speed[i];
        for (std::vector<double>& column : record.memory)
            std::ranges::fill(column, 0.0);
        std::ranges::fill(bars.force, 0.0);
    }
}

MotionNumbers AdjointRun::reverse(const Readings& seeds) {
    const simd::FlushSubnormals flush;
    Bars bars(steps_, steps_.memory_numbers());
    records_.resize(static_cast<std::size_t>(std::min(stride_, count_)));
    for (std::size_t k = stored_.size(); k-- > 0;) {
        if (stop_ && stop_()) throw running::RunError("interrupted");
        const std::int64_t first = stored_[k].state.step;
        const std::int64_t last = std::min(first + stride_, count_);
        steps_.restore(stored_[k].state);
        for (std::int64_t step = first; step < last; ++step) {
            steps_.advance(&records_[static_cast<std::size_t>(step - first)], !windows_.empty());
        }
        for (std::int64_t step = last; step > first; --step) {
            const auto at = static_cast<std::size_t>(step - first - 1);
            reverse_step(step, records_[at], at > 0 ? &records_[at - 1] : &stored_[k].before, seeds,
                         bars);
        }
    }
    for (std::size_t k = 0; k < channels_.size(); ++k) {
        if (channels_[k].kind == Channel::Kind::velocity)
            bars.velocity[channels_[k].index] += seeds[k].front();
    }
    reverse_start(seeds, bars);
    const MotionNumbers& numbers = steps_.numbers();
    for (std::size_t i = 0; i < steps_.beads(); ++i) {
        const double kick = steps_.kick()[i];
        bars.numbers.mass[i] -= bars.kick[i] * kick / numbers.mass[i];
        bars.numbers.mass[i] += numbers.gravity * bars.numbers.load[i];
        bars.numbers.velocity[i] = kick == 0.0 ? 0.0 : bars.velocity[i];
    }
    for (std::size_t c = 0; c < numbers.gap.size(); ++c) {
        if (!std::isfinite(numbers.gap[c])) bars.numbers.gap[c] = 0.0;
    }
    return std::move(bars.numbers);
}

}  // namespace beadwave::gradients
