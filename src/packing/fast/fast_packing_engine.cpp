#include "fast_packing_engine.hpp"

#include "dynamics/flush_subnormals.hpp"
#include "packing/wall_motion.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace beadwave::packing {

FastPackingEngine::FastPackingEngine(const Packing& packing, double dt, int threads,
                                     const PackingKernel& kernel, Sleep sleep)
    : packing_(packing),
      dt_(dt),
      n_(packing.particles()),
      skin_(skin_of(packing)),
      threads_(threads),
      laws_(packing_),
      kernel_(kernel),
      traits_(traits_of(laws_.normal())),
      slider_(laws_.slider()),
      sleeps_(sleep == Sleep::yes),
      id_(n_),
      slot_(n_),
      kick_(2 * n_),
      spin_kick_(n_),
      wall_force_(packing.walls.size()),
      wall_at_list_(packing.walls.size()) {
    const dynamics::FlushSubnormals flush;
    const bool linear = std::holds_alternative<laws::LinearSlider<double>>(slider_);
    slides_ = !std::holds_alternative<laws::NoSlider<double>>(slider_);
    rolls_ = packing_.rolling.acts();
    half_needed_ = slides_ || rolls_;
    predicted_needed_ = traits_.asks_speed || linear || rolls_;
    for (const Wall& wall : packing_.walls)
        walls_move_ = walls_move_ || wall.drive || wall.velocity != Vec3{};
    std::iota(id_.begin(), id_.end(), 0U);
    std::iota(slot_.begin(), slot_.end(), 0U);
    for (int side = 0; side < 2; ++side) {
        place_[side] = Column(line * n_);
        half_[side] = Column(line * n_);
        if (predicted_needed_) predicted_[side] = Column(line * n_);
    }
    velocity_ = Column(line * n_);
    gain_ = Column(line * n_);
    for (std::size_t i = 0; i < n_; ++i) {
        place_[0][line * i + 3] = packing_.radius[i];
        put(place_[0].data() + line * i + 4, packing_.position[i]);
        put(velocity_.data() + line * i, packing_.velocity[i]);
        put(velocity_.data() + line * i + 4, packing_.radius[i] * packing_.spin[i]);
    }
    note_walls();
    sort_slots();
    lay_list();
    take_up_velocity();
    place_ghosts();
    // Twice, as the plain engine.
    const std::vector<double> start(velocity_.data(), velocity_.data() + line * n_);
    for (int time = 0; time < 2; ++time) {
        pass(true, 0.0, nullptr);
        std::copy_n(start.data(), line * n_, velocity_.data());
    }
    initial_power_ = power_now();
    initial_stored_ = stored().normal;
}

void FastPackingEngine::advance(std::int64_t steps, ParticleTrace& trace) {
    trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
    trace.velocity.resize(trace.force.size());
    if (steps <= 0) return;
    ++step_;
    drift();
    place_ghosts();
    for (std::int64_t s = 0; s < steps; ++s) {
        if (moved_too_far()) renew();
        const bool last = s + 1 == steps;
        row_ = static_cast<std::size_t>(s);
        pass(last, dt_, trace.particles.empty() ? nullptr : &trace);
        if (last) break;
        ++step_;
        now_ ^= 1;
        place_ghosts();
    }
}

void FastPackingEngine::take_up_velocity() {
    std::copy_n(velocity_.data(), line * n_, half_[now_].data());
    if (predicted_needed_) std::copy_n(velocity_.data(), line * n_, predicted_[now_].data());
}

void FastPackingEngine::drift() {
    double* const half = half_[now_].data();
    double* const predicted = predicted_needed_ ? predicted_[now_].data() : nullptr;
    std::array<double, 3> far{};
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t k = line * i; k < line * (i + 1); ++k) {
            half[k] = velocity_[k] + gain_[k];
            if (predicted != nullptr) predicted[k] = half[k] + gain_[k];
        }
        for (std::size_t k = 0; k < 3; ++k) {
            place(i)[k] += dt_ * half[line * i + k];
            far[k] = std::max(far[k], std::abs(place(i)[k]));
        }
    }
    farthest_ = std::sqrt(far[0] * far[0] + far[1] * far[1] + far[2] * far[2]);
}

Lines FastPackingEngine::lines(int side) {
    return {place_[side].data(), half_[side].data(),
            predicted_needed_ ? predicted_[side].data() : nullptr};
}

Entries FastPackingEngine::entries(std::size_t b) {
    const std::size_t from = entry_begin_[b];
    Entries e{.count = entry_begin_[b + 1] - from,
              .first = first_.data() + from,
              .second = second_.data() + from,
              .kind = kind_.data() + from,
              .gap = gap_.data() + from,
              .memory = {},
              .sliding = {},
              .rolling = {}};
    for (std::size_t k = 0; k < memory_.size(); ++k)
        e.memory[k] = memory_[k].data() + from;
    for (std::size_t k = 0; k < 4; ++k) {
        e.sliding[k] = slides_ ? sliding_[k].data() + from : nullptr;
        e.rolling[k] = rolls_ ? rolling_[k].data() + from : nullptr;
    }
    return e;
}

bool FastPackingEngine::rests(std::size_t b) const {
    if (!sleeps_ || quiet_before_[b] < resting) return false;
    return std::ranges::all_of(touching_blocks_[b],
                               [&](std::uint32_t c) { return quiet_before_[c] >= resting; });
}

double FastPackingEngine::resting_part() const {
    std::size_t resting_blocks = 0;
    for (std::size_t b = 0; b < blocks(); ++b) {
        const auto rests_now = [&](std::size_t c) { return quiet_[c] >= resting; };
        if (rests_now(b) && std::ranges::all_of(touching_blocks_[b], rests_now)) ++resting_blocks;
    }
    return sleeps_ ? static_cast<double>(resting_blocks) / static_cast<double>(blocks()) : 0.0;
}

void FastPackingEngine::pass(bool last, double step, ParticleTrace* trace) {
    quiet_before_ = quiet_;
    std::vector<std::array<double, 3>> far(blocks());
    const std::vector<Vec3> old_wall_force = wall_force_;
    block_wall_force_.assign(blocks() * packing_.walls.size(), Vec3{});
    const auto count = static_cast<std::int64_t>(blocks());
#pragma omp parallel num_threads(threads_) if (threads_ > 1)
    {
        const dynamics::FlushSubnormals flush;
        Scratch scratch;
        Column force(line * longest_block_), torque(rolls_ ? line * longest_block_ : 0);
#pragma omp for schedule(dynamic)
        for (std::int64_t at = 0; at < count; ++at) {
            const auto b = static_cast<std::size_t>(at);
            if (!last && rests(b)) {
                far[b] = block_far_[b];
                continue;
            }
            step_block(b, last, step, scratch, force.data(), rolls_ ? torque.data() : nullptr,
                       far[b], trace);
        }
    }
    std::array<double, 3> all{};
    for (const auto& f : far) {
        for (std::size_t k = 0; k < 3; ++k)
            all[k] = std::max(all[k], f[k]);
    }
    if (!last) {
        block_far_ = far;
        farthest_ = std::sqrt(all[0] * all[0] + all[1] * all[1] + all[2] * all[2]);
    }
    if (!walls_move_) return;
    std::ranges::fill(wall_force_, Vec3{});
    for (std::size_t k = 0; k < block_wall_force_.size(); ++k)
        wall_force_[k % wall_force_.size()] += block_wall_force_[k];
    for (std::size_t w = 0; w < wall_force_.size(); ++w) {
        const Wall& wall = packing_.walls[w];
        const Vec3 moved = wall_displacement(wall, time()) - wall_displacement(wall, time() - step);
        wall_work_ -= 0.5 * dot(old_wall_force[w] + wall_force_[w], moved);
    }
}

void FastPackingEngine::step_block(std::size_t b, bool last, double step, Scratch& scratch,
                                   double* force, double* torque, std::array<double, 3>& far,
                                   ParticleTrace* trace) {
    const Entries e = entries(b);
    const Lines before = lines(now_);
    for (std::size_t from = 0; from < e.count; from += batch) {
        const std::size_t count = std::min(batch, e.count - from);
        kernel_.place(before, e, from, count, half_needed_, predicted_needed_, rolls_, scratch);
        kernel_.normal[laws_.normal().index()](table_, e, from, count, scratch);
        kernel_.slide[slider_.index()](table_, e, from, count, step, scratch, force, torque);
    }
    for (const auto& [entry, wall] : wall_entries_[b])
        block_wall_force_[b * packing_.walls.size() + wall] += triple(force + line * entry);
    Kick kick{.begin = b * block_size,
              .end = block_end(b),
              .row = row_begin_.data() + b * (block_size + 1),
              .incidence = incidence_.data(),
              .force = force,
              .torque = torque,
              .before = before,
              .after = last ? Lines{} : lines(now_ ^ 1),
              .velocity = velocity_.data(),
              .gain = gain_.data(),
              .kick = kick_.data(),
              .spin_kick = spin_kick_.data(),
              .push = {},
              .time_step = dt_,
              .power = !traits_.conservative && step > 0.0,
              .farthest = {},
              .quiet = false};
    put(kick.push, (0.5 * dt_) * packing_.gravity);
    kernel_.kick(kick);
    std::copy_n(kick.farthest, 3, far.begin());
    quiet_[b] = kick.quiet && !never_quiet_[b] ? std::min(quiet_before_[b] + 1, resting) : 0;
    if (trace == nullptr) return;
    for (std::size_t k = 0; k < trace->particles.size(); ++k) {
        const std::size_t i = slot_[trace->particles[k]];
        if (i < kick.begin || i >= kick.end) continue;
        Vec3 sum{};
        for (std::uint32_t at = kick.row[i - kick.begin]; at < kick.row[i - kick.begin + 1]; ++at) {
            const Vec3 f = triple(force + line * (incidence_[at] >> 1));
            sum += (incidence_[at] & 1) != 0 ? f : -f;
        }
        const std::size_t to = row_ * trace->particles.size() + k;
        trace->force[to] = sum;
        trace->velocity[to] = triple(half_[now_].data() + line * i) +
                              (kick_[2 * i] * sum + (0.5 * dt_) * packing_.gravity);
    }
}

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads, const PackingKernel& kernel,
                                                   Sleep sleep) {
    if (const std::string wrong = what_is_wrong(packing); !wrong.empty())
        throw std::invalid_argument(wrong);
    return std::make_unique<FastPackingEngine>(packing, time_step, threads, kernel, sleep);
}

std::unique_ptr<PackingEngine> make_packing_engine(const Packing& packing, double time_step,
                                                   int threads) {
    return make_packing_engine(packing, time_step, threads, packing_kernels().front(), Sleep::yes);
}

}  // namespace beadwave::packing
