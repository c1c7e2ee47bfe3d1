// The reverse of single steps; adjoint_run.hpp has the lines.

#include "packing_gradients/adjoint_run.hpp"
#include "packing_gradients/components.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing_gradients {

using gradients::Channel;
using gradients::EnergyWindow;

void AdjointRun::add_energies(const StepRecord& record, Sweep& sweep) const {
    const packing::Packing& p = steps_.packing();
    Bars& bars = sweep.of;
    for (const EnergyWindow& each : windows_) {
        if (!each.window.contains(record.step)) continue;
        const double weight = each.weight / static_cast<double>(each.window.count());
        for (std::size_t i = each.first_bead; i <= each.last_bead; ++i) {
            const Vec3 &v = record.velocity[i], &spin = record.spin[i];
            bars.velocity[i] += (weight * p.mass[i]) * v;
            bars.spin[i] += (weight * p.inertia[i]) * spin;
            bars.mass[i] += 0.5 * weight * dot(v, v);
            bars.inertia[i] += 0.5 * weight * dot(spin, spin);
        }
    }
}

void AdjointRun::add_seeds(const StepRecord& record, const Readings& seeds, Sweep& sweep) const {
    std::ranges::fill(sweep.force, Vec3{});
    std::ranges::fill(sweep.torque, Vec3{});
    std::ranges::fill(sweep.wall_force, 0.0);
    for (std::size_t k = 0; k < channels_.size(); ++k) {
        const double seed = seeds[k][static_cast<std::size_t>(record.step)];
        const auto [kind, index, axis] = channels_[k];
        switch (kind) {
            case Channel::Kind::wall_force:
                sweep.wall_force[index] += seed;
                break;
            case Channel::Kind::position:
                component(sweep.of.position[index], axis) += seed;
                break;
            case Channel::Kind::velocity:
                component(sweep.of.velocity[index], axis) += seed;
                break;
            default:
                component(sweep.force[index], axis) += seed;
                break;
        }
    }
    add_energies(record, sweep);
}

/// w = (F + m g) dt / (2 m), and the change of the spin.
void AdjointRun::reverse_kick(const StepRecord& record, Sweep& sweep) const {
    const packing::Packing& p = steps_.packing();
    const double half = 0.5 * steps_.time_step();
    for (std::size_t i = 0; i < p.particles(); ++i) {
        const Vec3 change = masked(sweep.change[i], free_[i]),
                   turn = turns_[i] * sweep.spin_change[i];
        const double kick = half / p.mass[i], twist = half / p.inertia[i];
        sweep.change[i] = change;
        sweep.spin_change[i] = turn;
        sweep.force[i] += kick * change;
        sweep.torque[i] += twist * turn;
        Vec3 torque = record.torque[i];
        for (const packing::Foundation& each : springs_[i])
            torque -= each.rotational_damping * record.body[i].predicted_spin;
        sweep.of.mass[i] -=
            dot(change, record.force[i] + carried_force(record, i)) * kick / p.mass[i];
        sweep.of.inertia[i] -= dot(turn, torque) * twist / p.inertia[i];
        sweep.of.gravity += half * change;
    }
}

Vec3 AdjointRun::carried_force(const StepRecord& record, std::size_t particle) const {
    const packing::Packing& p = steps_.packing();
    const Vec3 moved =
        (record.listed->reference[particle] - p.position[particle]) + record.displacement[particle];
    Vec3 force{};
    for (const packing::Foundation& each : springs_[particle]) {
        const double stiffness = each.spring.stiffness + each.spring.cubic * dot(moved, moved);
        force -= stiffness * moved + each.spring.damping * record.body[particle].predicted;
    }
    const double time = static_cast<double>(record.step) * steps_.time_step();
    for (const packing::ForceOverTime& load : loads_[particle])
        force += {load[0].at(time), load[1].at(time), load[2].at(time)};
    return force;
}

/// Springs are unstretched at the start, so that their ends on the ground move with its places.
void AdjointRun::reverse_carried(const StepRecord& record, Sweep& sweep) const {
    const packing::Packing& p = steps_.packing();
    const double half = 0.5 * steps_.time_step();
    for (std::size_t i = 0; i < p.particles(); ++i) {
        if (springs_[i].empty()) continue;
        const Vec3 moved = (record.listed->reference[i] - p.position[i]) + record.displacement[i];
        const Vec3 force = (half / p.mass[i]) * sweep.change[i];
        const Vec3 torque = (half / p.inertia[i]) * sweep.spin_change[i];
        for (const packing::Foundation& each : springs_[i]) {
            const packing::Spring& spring = each.spring;
            const double stiffness = spring.stiffness + spring.cubic * dot(moved, moved);
            const Vec3 by_place =
                -(stiffness * force + (2.0 * spring.cubic * dot(moved, force)) * moved);
            sweep.of.position[i] += by_place;
            sweep.anchor[i] -= by_place;
            sweep.body[i].predicted -= spring.damping * force;
            sweep.body[i].predicted_spin -= each.rotational_damping * torque;
        }
    }
}

void AdjointRun::reverse_pair(const StepRecord& record, std::size_t k, ReversedPair& pair,
                              Sweep& sweep) const {
    const packing::Packing& p = steps_.packing();
    const std::size_t n = p.particles();
    const PairMotion motion = steps_.motion_of(record, k);
    pair.responds = Steps::responds(motion, record.memory[k]);
    if (!pair.responds) {
        sweep.memory[k] = {};
        return;
    }
    const PairBodies bodies = bodies_of(record.listed->list, n, k);
    const std::size_t a = bodies.first, b = bodies.second;
    PairForces by{
        .force = -sweep.force[a], .torque_on_first = sweep.torque[a], .memory = sweep.memory[k]};
    if (motion.wall) {
        by.force += -sweep.wall_force[b - n] * p.walls[b - n].direction();
    } else {
        by.force += sweep.force[b];
        by.torque_on_second = sweep.torque[b];
    }
    pair.law = {};
    pair.by = bars_of(steps_.table().law(record.listed->law[k]), steps_.rolls(), motion,
                      record.memory[k], by, pair.law);
    sweep.memory[k] = pair.by.memory;
}

/// What reverse_pair() has found of a pair, which is added in the order of the pairs.
void AdjointRun::add_pair(const StepRecord& record, std::size_t k, const ReversedPair& reversed,
                          Sweep& sweep) const {
    const packing::Packing& p = steps_.packing();
    const std::size_t n = p.particles();
    Bars& bars = sweep.of;
    const auto add = [&](std::size_t particle, const BodyMotion& by) {
        BodyMotion& to = sweep.body[particle];
        to.half += by.half;
        to.predicted += by.predicted;
        to.half_spin += by.half_spin;
        to.predicted_spin += by.predicted_spin;
        bars.radius[particle] += by.radius;
    };
    const PairBars& pair = reversed.by;
    const PairBodies bodies = bodies_of(record.listed->list, n, k);
    const std::size_t a = bodies.first, b = bodies.second;
    auto& law = bars.law[record.listed->law[k]];
    for (std::size_t number = 0; number < law.size(); ++number)
        law[number] += reversed.law[number];
    add(a, pair.first);
    if (b >= n) {
        // The closest point of a plane follows the particle along the plane.
        const Vec3 normal = p.walls[b - n].direction();
        bars.position[a] -= dot(normal, pair.branch) * normal;
        return;
    }
    add(b, pair.second);
    bars.position[a] -= pair.branch;
    bars.position[b] += pair.branch;
}

/// Threads share the pairs of a block, which stays in the cache.
void AdjointRun::reverse_pairs(const StepRecord& record, Sweep& sweep) {
    constexpr std::size_t of_thread = 256;
    const std::size_t pairs = record.memory.size();
    const std::size_t block = threads_ > 1 ? of_thread * static_cast<std::size_t>(threads_) : 16;
    steps_.place_walls(record.step);
    sweep.memory.resize(pairs);
    std::ranges::fill(sweep.body, BodyMotion{});
    reversed_.resize(block);
    for (std::size_t begin = 0; begin < pairs; begin += block) {
        const std::size_t end = std::min(begin + block, pairs);
        stepping::on_threads(threads_, [&] {
            const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
            for (std::size_t k = begin; k < end; ++k)
                reverse_pair(record, k, reversed_[k - begin], sweep);
        });
        for (std::size_t k = begin; k < end; ++k) {
            if (reversed_[k - begin].responds) add_pair(record, k, reversed_[k - begin], sweep);
        }
    }
}

void AdjointRun::reverse_step(const StepRecord& record, const Readings& seeds, Sweep& sweep) {
    const double dt = steps_.time_step();
    Bars& bars = sweep.of;
    add_seeds(record, seeds, sweep);
    // v = h + w
    for (std::size_t i = 0; i < bars.velocity.size(); ++i) {
        sweep.change[i] += bars.velocity[i];
        sweep.spin_change[i] += bars.spin[i];
    }
    reverse_kick(record, sweep);
    reverse_pairs(record, sweep);
    reverse_carried(record, sweep);
    for (std::size_t i = 0; i < bars.velocity.size(); ++i) {
        const BodyMotion& body = sweep.body[i];
        bars.velocity[i] =
            masked(bars.velocity[i] + body.half + body.predicted + dt * bars.position[i], free_[i]);
        sweep.change[i] = masked(body.predicted, free_[i]) + bars.velocity[i];
        bars.spin[i] = turns_[i] * (bars.spin[i] + body.half_spin + body.predicted_spin);
        sweep.spin_change[i] = turns_[i] * body.predicted_spin + bars.spin[i];
    }
    if (!record.rebuilt) return;
    std::vector<PairMemory> before(record.listed->pairs_before);
    for (std::size_t k = 0; k < sweep.memory.size(); ++k) {
        const std::uint32_t number = record.listed->matched[k];
        if (number < before.size()) before[number] = sweep.memory[k];
    }
    sweep.memory = std::move(before);
}

/// The forces of the start, for which all pairs responded twice.
void AdjointRun::reverse_start(const Readings& seeds, Sweep& sweep) {
    StepRecord first, second;
    steps_.start(&first, &second);
    Bars& bars = sweep.of;
    add_seeds(second, seeds, sweep);
    reverse_kick(second, sweep);
    for (const StepRecord* record : {&second, &first}) {
        reverse_pairs(*record, sweep);
        if (record == &second) reverse_carried(second, sweep);
        for (std::size_t i = 0; i < bars.velocity.size(); ++i) {
            const BodyMotion& body = sweep.body[i];
            bars.velocity[i] += body.half + body.predicted;
            bars.spin[i] += body.half_spin + body.predicted_spin;
        }
        std::ranges::fill(sweep.force, Vec3{});
        std::ranges::fill(sweep.torque, Vec3{});
        std::ranges::fill(sweep.wall_force, 0.0);
    }
}

}  // namespace beadwave::packing_gradients
