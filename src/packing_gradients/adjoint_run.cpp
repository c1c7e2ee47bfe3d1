#include "packing_gradients/adjoint_run.hpp"

#include "beadwave/running/run_error.hpp"
#include "packing_gradients/components.hpp"
#include "simd/flush_subnormals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::packing_gradients {

using gradients::Channel;
using gradients::EnergyWindow;

AdjointRun::AdjointRun(const VariedPacking& varied, double time_step, std::int64_t steps,
                       std::vector<Channel> channels, std::vector<EnergyWindow> energies,
                       std::function<bool()> stop, std::size_t most_states, int threads)
    : steps_(varied, time_step),
      count_(steps),
      kept_(gradients::stored_states(steps, most_states, 1)),
      channels_(std::move(channels)),
      windows_(std::move(energies)),
      stop_(std::move(stop)),
      free_(varied.packing.particles(), {1.0, 1.0, 1.0}),
      turns_(varied.packing.particles(), 1.0),
      springs_(varied.packing.particles()),
      loads_(varied.packing.particles()),
      threads_(threads) {
    const packing::Packing& p = varied.packing;
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (!p.is_fixed(i)) continue;
        free_[i] = {};
        turns_[i] = 0.0;
    }
    for (const packing::DrivenParticle& each : p.elements.driven) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (p.elements.motions[each.motion].along[axis])
                component(free_[each.particle], axis) = 0.0;
        }
        if (!p.elements.motions[each.motion].rotates) turns_[each.particle] = 0.0;
    }
    for (const packing::Foundation& each : p.elements.foundations)
        springs_[each.particle].push_back(each);
    for (const packing::LoadedParticle& each : p.elements.loads)
        loads_[each.particle].push_back(p.elements.forces[each.force]);
}

std::int64_t AdjointRun::step_of(std::int64_t piece) const {
    return std::min(piece * kept_.piece, count_);
}

double AdjointRun::reading(const Channel& channel) const {
    Vec3 v{};
    switch (channel.kind) {
        case Channel::Kind::wall_force:
            return steps_.wall_force(channel.index);
        case Channel::Kind::position:
            v = steps_.position(channel.index);
            break;
        case Channel::Kind::velocity:
            v = steps_.state().velocity[channel.index];
            break;
        default:  // packings have no other one
            v = steps_.force()[channel.index];
            break;
    }
    return component(v, channel.axis);
}

void AdjointRun::read() {
    const State& state = steps_.state();
    for (std::size_t k = 0; k < channels_.size(); ++k)
        readings_[k][static_cast<std::size_t>(state.step)] = reading(channels_[k]);
    const packing::Packing& p = steps_.packing();
    for (std::size_t k = 0; k < windows_.size(); ++k) {
        const EnergyWindow& each = windows_[k];
        if (!each.window.contains(state.step)) continue;
        double energy = 0.0;
        for (std::size_t i = each.first_bead; i <= each.last_bead; ++i) {
            energy += 0.5 * p.mass[i] * dot(state.velocity[i], state.velocity[i]) +
                      0.5 * p.inertia[i] * dot(state.spin[i], state.spin[i]);
        }
        energy_[k] += energy / static_cast<double>(each.window.count());
    }
}

void AdjointRun::check() const {
    if (stop_ && stop_()) throw running::RunError("interrupted");
    if (steps_.finite()) return;
    throw running::RunError(
        fmt::format("the motion is not finite after {} steps; expected a shorter time.step",
                    steps_.state().step));
}

void AdjointRun::advance_to(std::int64_t step, bool reads) {
    while (steps_.state().step < step) {
        steps_.advance();
        if (reads) read();
    }
}

void AdjointRun::forward(bool keep) {
    const simd::FlushSubnormals flush;
    readings_.assign(channels_.size(),
                     std::vector<double>(static_cast<std::size_t>(count_) + 1, 0.0));
    energy_.assign(windows_.size(), 0.0);
    stored_.clear();
    steps_.start();
    read();
    std::int64_t stored_next = 0;
    for (std::int64_t piece = 0; piece < pieces(); ++piece) {
        check();
        if (keep && piece == stored_next) {
            stored_.push_back({piece, steps_.state()});
            const std::int64_t on =
                gradients::next_stored(pieces() - piece, kept_.places + 1 - stored_.size());
            stored_next = on > 0 ? piece + on : pieces();
        }
        advance_to(step_of(piece + 1), true);
    }
    check();
}

Bars AdjointRun::reverse(const Readings& seeds) {
    const simd::FlushSubnormals flush;
    const packing::Packing& p = steps_.packing();
    const std::size_t n = p.particles();
    Sweep sweep{.change = std::vector<Vec3>(n),
                .spin_change = std::vector<Vec3>(n),
                .force = std::vector<Vec3>(n),
                .torque = std::vector<Vec3>(n),
                .wall_force = std::vector<double>(p.walls.size()),
                .body = std::vector<BodyMotion>(n),
                .anchor = std::vector<Vec3>(n)};
    Bars& bars = sweep.of;
    bars.position = bars.velocity = bars.spin = std::vector<Vec3>(n);
    bars.mass = bars.radius = bars.inertia = std::vector<double>(n, 0.0);
    bars.law.resize(steps_.table().pairs().size());
    for (std::int64_t end = pieces(); end > 0;) {
        if (stop_ && stop_()) throw running::RunError("interrupted");
        const std::int64_t first = stored_.back().piece;
        steps_.restore(stored_.back().state);
        const std::int64_t on =
            gradients::next_stored(end - first, kept_.places + 1 - stored_.size());
        if (on > 0) {
            advance_to(step_of(first + on), false);
            stored_.push_back({first + on, steps_.state()});
            continue;
        }
        --end;
        advance_to(step_of(end), false);
        reverse_piece(end, seeds, sweep);
        // The state of the start stays, for another sweep.
        if (end == first && end > 0) stored_.pop_back();
    }
    reverse_start(seeds, sweep);
    for (std::size_t i = 0; i < n; ++i) {
        bars.position[i] += sweep.anchor[i];
        bars.velocity[i] = masked(bars.velocity[i], free_[i]);
        bars.spin[i] = turns_[i] * bars.spin[i];
    }
    return std::move(sweep.of);
}

void AdjointRun::reverse_piece(std::int64_t piece, const Readings& seeds, Sweep& sweep) {
    const std::int64_t first = step_of(piece), last = step_of(piece + 1);
    records_.resize(static_cast<std::size_t>(last - first));
    for (StepRecord& record : records_)
        steps_.advance(&record);
    for (std::size_t k = records_.size(); k-- > 0;)
        reverse_step(records_[k], seeds, sweep);
}

}  // namespace beadwave::packing_gradients
