// One step of a chain backwards, for all that chains have; rows/reverse_rows.hpp has the fast one
// of those with contacts alone.

#include "gradients/adjoint_run.hpp"
#include "gradients/reverse_bars.hpp"
#include "gradients/reverse_loops.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::gradients {

void AdjointRun::add_energies(std::int64_t step, const StepRecord& record, Bars& bars) const {
    bars.has_energy = false;
    for (const EnergyWindow& each : windows_) {
        if (!each.window.contains(step)) continue;
        if (!std::exchange(bars.has_energy, true)) std::ranges::fill(bars.energy, 0.0);
        const double bar = each.weight / static_cast<double>(each.window.count());
        for (std::size_t i = each.first_bead; i <= each.last_bead && i < record.active; ++i) {
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

/// Walls before the first and behind the last contact: the overlap grows with the place of the left
/// one, and shrinks with that of the right one.
void AdjointRun::add_walls(std::size_t at, std::span<const double> overlap_bar,
                           std::span<const double> speed_bar, Bars& bars) const {
    MotionNumbers& numbers = bars.numbers;
    if (numbers.place_over_time.empty()) return;
    const std::size_t n = steps_.beads(), right = numbers.right_wall();
    numbers.place_over_time[MotionNumbers::left_wall][at] += overlap_bar[0];
    numbers.place_over_time[right][at] -= overlap_bar[n];
    if (!steps_.kernel().uses_speed || speed_bar.empty()) return;
    numbers.speed_over_time[MotionNumbers::left_wall][at] += speed_bar[0];
    numbers.speed_over_time[right][at] -= speed_bar[n];
}

/// A driven bead has the velocity of its motion, whatever it had before.
void AdjointRun::take_driven_velocities(std::size_t at, Bars& bars) const {
    const auto& driven = steps_.numbers().elements.driven;
    for (std::size_t k = 0; k < driven.size(); ++k) {
        const std::size_t i = driven[k].bead;
        bars.numbers.speed_over_time[MotionNumbers::driven_bead(k)][at] +=
            std::exchange(bars.velocity[i], 0.0);
        bars.change[i] = 0.0;
    }
}

/// reverse_drift(), with what beads carry and with driven beads.
void AdjointRun::reverse_carried(std::int64_t step, const StepRecord& record, Bars& bars) const {
    const std::size_t n = steps_.beads();
    const double dt = steps_.time_step();
    bars.read_displacement.assign(n, 0.0);
    bars.read_speed.assign(n, 0.0);
    steps_.carried().reverse(record.carried, step, {bars.push.data() + 1, n},
                             bars.read_displacement, bars.read_speed, bars.inner, bars.numbers);
    const bool speed = steps_.kernel().uses_speed;
    for (std::size_t i = 0; i < n; ++i) {
        if (speed) bars.read_speed[i] += bars.approach_speed[i + 1] - bars.approach_speed[i];
        bars.displacement[i] += bars.overlap[i + 1] - bars.overlap[i] + bars.read_displacement[i];
    }
    const auto& driven = steps_.numbers().elements.driven;
    for (std::size_t k = 0; k < driven.size(); ++k) {
        const std::size_t i = driven[k].bead, at = MotionNumbers::driven_bead(k);
        bars.numbers.place_over_time[at][static_cast<std::size_t>(step)] +=
            std::exchange(bars.displacement[i], 0.0);
        bars.numbers.speed_over_time[at][static_cast<std::size_t>(step)] +=
            std::exchange(bars.read_speed[i], 0.0);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double half = bars.velocity[i] + bars.read_speed[i] + dt * bars.displacement[i];
        bars.velocity[i] = half;
        bars.change[i] = half + bars.read_speed[i];
    }
}

/// Beads that the step did not move are reversed to the start.
void AdjointRun::leave_at_rest(std::int64_t step, std::size_t active, Bars& bars) const {
    for (std::size_t i = active; i < bars.active; ++i) {
        bars.reverse_rest(i, step, steps_.time_step(), steps_.kick()[i]);
    }
    if (active == bars.active) return;
    for (std::vector<double>* column :
         {&bars.overlap, &bars.approach_speed, &bars.overlap_before, &bars.blow}) {
        std::fill(column->begin() + static_cast<std::ptrdiff_t>(active), column->end(), 0.0);
    }
    bars.active = active;
}

void AdjointRun::add_velocities(std::int64_t step, const Readings& seeds, Bars& bars) const {
    for (std::size_t k = 0; k < channels_.size(); ++k) {
        if (channels_[k].kind != Channel::Kind::velocity) continue;
        const std::size_t i = channels_[k].index;
        const double seed = seeds[k][static_cast<std::size_t>(step)];
        if (i < bars.active)
            bars.velocity[i] += seed;
        else if (seed != 0.0)
            bars.add_at_rest(i, step, steps_.kick()[i], seed);
    }
}

void AdjointRun::reverse_step(std::int64_t step, const StepRecord& record, const StepRecord* before,
                              const Readings& seeds, Bars& bars) const {
    const auto at = static_cast<std::size_t>(step);
    const std::vector<double>& kick = steps_.kick();
    leave_at_rest(step, record.active, bars);
    const std::size_t n = record.active, acting = steps_.contacts(n);
    add_velocities(step, seeds, bars);
    add_energies(step, record, bars);
    const std::vector<double>& external =
        steps_.carried().empty() ? bars.body_force : record.external;
    take_driven_velocities(at, bars);
    reverse_kick(n, kick.data(), bars.velocity.data(), bars.change.data(), record.force.data(),
                 external.data(), bars.push.data() + 1, bars.kick.data(), bars.numbers.load.data());
    spread_push(acting, bars.push.data(), bars.force.data());
    add_forces(step, seeds, bars);
    ReverseContacts contacts = bars.view(record, steps_.time_step(), acting);
    const bool jumps = steps_.kernel().may_jump;
    if (jumps) {
        contacts.overlap_before = before->overlap.data();
        contacts.approach_speed_before = before->approach_speed.data();
        const double per_kick = 2.0 / steps_.time_step();  // 1/m = 2 kick / dt
        for (std::size_t c = 0; c < acting; ++c) {
            const double right = c < n ? kick[c] * bars.velocity[c] : 0.0;
            const double left = c > 0 ? kick[c - 1] * bars.velocity[c - 1] : 0.0;
            bars.blow[c] = per_kick * (right - left);
        }
    }
    steps_.kernel().reverse(contacts);
    if (!steps_.carried().empty()) {
        reverse_carried(step, record, bars);
    } else if (steps_.kernel().uses_speed) {
        reverse_drift(n, steps_.time_step(), bars.overlap.data(), bars.approach_speed.data(),
                      bars.displacement.data(), bars.velocity.data(), bars.change.data());
    } else {
        reverse_drift(n, steps_.time_step(), bars.overlap.data(), bars.displacement.data(),
                      bars.velocity.data(), bars.change.data());
    }
    subtract(acting, bars.overlap.data(), bars.numbers.gap.data());
    add_walls(at, bars.overlap, bars.approach_speed, bars);
    if (!jumps) return;
    add_walls(at - 1, bars.overlap_before, {}, bars);
    for (std::size_t i = 0; i < n; ++i)
        bars.displacement[i] += bars.overlap_before[i + 1] - bars.overlap_before[i];
    subtract(acting, bars.overlap_before.data(), bars.numbers.gap.data());
}

/// w = kick (F_i - F_(i+1) + load) with the forces of the start, for which the law was asked twice.
void AdjointRun::reverse_start(const Readings& seeds, Bars& bars) {
    const std::size_t n = steps_.beads();
    StepRecord record;
    steps_.start(&record);
    const std::vector<double> none(n, 0.0);
    bars.has_energy = false;
    reverse_kick(n, steps_.kick().data(), none.data(), bars.change.data(), record.force.data(),
                 record.external.data(), bars.push.data() + 1, bars.kick.data(),
                 bars.numbers.load.data());
    spread_push(n + 1, bars.push.data(), bars.force.data());
    add_forces(0, seeds, bars);
    if (!steps_.carried().empty()) {
        steps_.carried().reverse_start(steps_.velocity(), {bars.push.data() + 1, n}, bars.velocity,
                                       bars.inner, bars.numbers);
    }
    std::ranges::fill(bars.blow, 0.0);
    for (int time = 0; time < 2; ++time) {
        steps_.kernel().reverse(bars.view(record, steps_.time_step(), n + 1));
        subtract(n + 1, bars.overlap.data(), bars.numbers.gap.data());
        add_walls(0, bars.overlap, bars.approach_speed, bars);
        for (std::size_t i = 0; i < n; ++i)
            bars.velocity[i] += bars.approach_speed[i + 1] - bars.approach_speed[i];
        for (std::vector<double>& column : record.memory)
            std::ranges::fill(column, 0.0);
        std::ranges::fill(bars.force, 0.0);
    }
}

}  // namespace beadwave::gradients
