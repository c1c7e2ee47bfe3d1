#include "gradients/adjoint_run.hpp"

#include "beadwave/running/run_error.hpp"
#include "gradients/reverse_bars.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"
#include "stepping/thread_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace beadwave::gradients {

AdjointRun::AdjointRun(const chain::Chain& chain, const MotionNumbers& numbers, double time_step,
                       std::int64_t steps, std::vector<Channel> channels,
                       std::vector<EnergyWindow> energies, Stop stop, SweepCost cost)
    : steps_(chain, numbers, time_step),
      count_(steps),
      channels_(std::move(channels)),
      windows_(std::move(energies)),
      stop_(std::move(stop)) {
    const bool in_rows = windows_.empty() && steps_in_rows(steps_);
    kept_ = stored_states(count_, cost.most_states, in_rows ? row_chunk : 1);
    if (!in_rows) return;
    const bool two = cost.threads > 1 && cost.most_states == 0 && pieces() > 1;
    in_rows_ = std::make_unique<InRows>(steps_, channels_, two ? 2 : 1);
}

double AdjointRun::reading(const Channel& channel) const {
    const std::vector<double>& force = steps_.force();
    switch (channel.kind) {
        case Channel::Kind::contact_force:
            return force[channel.index];
        case Channel::Kind::sensor_force:
            return 0.5 * (force[channel.index] + force[channel.index + 1]);
        default:  // chains have no other one
            break;
    }
    return steps_.velocity()[channel.index];
}

void AdjointRun::read() {
    for (std::size_t k = 0; k < channels_.size(); ++k)
        readings_[k][static_cast<std::size_t>(steps_.step())] = reading(channels_[k]);
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

void AdjointRun::start() {
    steps_.start();
    if (!in_rows_) return;
    State state;
    steps_.save(state);
    in_rows_->rows.load(state);
}

/// Steps on to the beginning of a piece, or the end of the run.
void AdjointRun::advance_to(std::int64_t piece, bool reads) {
    const std::int64_t end = step_of(piece);
    if (in_rows_) {
        Rows& rows = in_rows_->rows;
        return rows.advance(end - rows.step(), reads ? &readings_ : nullptr);
    }
    while (steps_.step() < end) {
        steps_.advance();
        if (!reads) continue;
        read();
        for (std::size_t k = 0; k < windows_.size(); ++k) {
            if (windows_[k].window.contains(steps_.step()))
                energy_[k] +=
                    energy_of(windows_[k]) / static_cast<double>(windows_[k].window.count());
        }
    }
}

void AdjointRun::save(State& state) const {
    if (in_rows_) return in_rows_->rows.save(state);
    steps_.save(state);
}

void AdjointRun::restore(const State& state) {
    if (in_rows_) return in_rows_->rows.load(state);
    steps_.restore(state);
}

void AdjointRun::store(std::int64_t piece) {
    Stored& one = stored_.emplace_back();
    one.piece = piece;
    save(one.state);
    if (!steps_.kernel().may_jump) return;
    one.before.overlap = steps_.overlap();
    one.before.approach_speed = steps_.approach_speed();
}

void AdjointRun::check(const State& state) {
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::ranges::all_of(state.displacement, finite) ||
        !std::ranges::all_of(state.velocity, finite))
        throw running::RunError(fmt::format(
            "the motion is not finite after {} steps; expected a shorter time.step", state.step));
    const std::vector<double>& u = state.displacement;
    for (std::size_t c = 0; c <= u.size(); ++c) {
        const double overlap = (c > 0 ? u[c - 1] : 0.0) - (c < u.size() ? u[c] : 0.0);
        largest_overlap_ = std::max(largest_overlap_, overlap - steps_.numbers().gap[c]);
    }
}

void AdjointRun::forward(bool keep) {
    const simd::FlushSubnormals flush;
    start();
    readings_.assign(channels_.size(),
                     std::vector<double>(static_cast<std::size_t>(count_) + 1, 0.0));
    energy_.assign(windows_.size(), 0.0);
    stored_.clear();
    read();
    State state;
    std::int64_t stored_next = 0;
    for (std::int64_t piece = 0; piece < pieces(); ++piece) {
        if (stop_ && stop_()) throw running::RunError("interrupted");
        save(state);
        check(state);
        if (keep && piece == stored_next) {
            store(piece);
            const std::int64_t on =
                next_stored(pieces() - piece, kept_.places + 1 - stored_.size());
            stored_next = on > 0 ? piece + on : pieces();
        }
        advance_to(piece + 1, true);
    }
    save(state);
    check(state);
}

/// The steps of a piece, from its state on, and back.
void AdjointRun::reverse_piece(std::int64_t piece, const StepRecord& before, const Readings& seeds,
                               ReverseRows* back, Bars& bars) {
    const std::int64_t first = step_of(piece), last = step_of(piece + 1);
    if (in_rows_) {
        in_rows_->rows.advance_and_record(last - first);
        return back->reverse(in_rows_->rows, seeds, bars);
    }
    records_.resize(static_cast<std::size_t>(std::min(kept_.piece, count_)));
    for (std::int64_t step = first; step < last; ++step)
        steps_.advance(&records_[static_cast<std::size_t>(step - first)], !windows_.empty());
    for (std::int64_t step = last; step > first; --step) {
        const auto at = static_cast<std::size_t>(step - first - 1);
        reverse_step(step, records_[at], at > 0 ? &records_[at - 1] : &before, seeds, bars);
    }
}

void AdjointRun::reverse_pieces(const Readings& seeds, ReverseRows* back, Bars& bars) {
    for (std::int64_t end = pieces(); end > 0;) {
        if (stop_ && stop_()) throw running::RunError("interrupted");
        const std::int64_t first = stored_.back().piece;
        restore(stored_.back().state);
        const std::int64_t on = next_stored(end - first, kept_.places + 1 - stored_.size());
        if (on > 0) {
            advance_to(first + on, false);
            store(first + on);
            continue;
        }
        --end;
        StepRecord before = stored_.back().before;
        if (end > first) {
            advance_to(end, false);
            before.overlap = steps_.overlap();
            before.approach_speed = steps_.approach_speed();
        }
        reverse_piece(end, before, seeds, back, bars);
        // The state of the start stays, for another sweep.
        if (end == first && end > 0) stored_.pop_back();
    }
}

/// While the steps of a piece are reversed, those of the piece before are computed.
void AdjointRun::reverse_on_two_threads(const Readings& seeds, ReverseRows& back, Bars& bars) {
    std::array<Rows*, 2> rows{&in_rows_->rows, &in_rows_->ahead};
    const auto record = [&](std::size_t piece) {
        const auto first = static_cast<std::int64_t>(piece);
        rows[piece % 2]->load(stored_[piece].state);
        rows[piece % 2]->advance_and_record(step_of(first + 1) - step_of(first));
    };
    record(stored_.size() - 1);
    for (std::size_t piece = stored_.size(); piece-- > 0;) {
        if (stop_ && stop_()) throw running::RunError("interrupted");
        stepping::ThreadError error;
        stepping::on_threads(piece > 0 ? 2 : 1, [&] {
#pragma omp for schedule(static, 1)
            for (int part = 0; part < 2; ++part) {
                const simd::FlushSubnormals flush;
                error.guard([&] {
                    if (part == 0)
                        back.reverse(*rows[piece % 2], seeds, bars);
                    else if (piece > 0)
                        record(piece - 1);
                });
            }
        });
        error.rethrow();
    }
}

MotionNumbers AdjointRun::reverse(const Readings& seeds) {
    const simd::FlushSubnormals flush;
    Bars bars(steps_, steps_.memory_numbers(), count_);
    if (in_rows_) {
        ReverseRows back(in_rows_->columns);
        if (in_rows_->size == 2)
            reverse_on_two_threads(seeds, back, bars);
        else
            reverse_pieces(seeds, &back, bars);
        back.end(bars);
    } else {
        reverse_pieces(seeds, nullptr, bars);
    }
    bars.active = steps_.beads();
    add_velocities(0, seeds, bars);
    reverse_start(seeds, bars);
    take_driven_velocities(0, bars);
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
    // Motions begin at the place of the start.
    for (std::vector<double>& column : bars.numbers.place_over_time)
        column.front() = 0.0;
    return std::move(bars.numbers);
}

}  // namespace beadwave::gradients
