#include "fast_packing_engine.hpp"

#include "packing/device/open_device_pairs.hpp"
#include "simd/flush_subnormals.hpp"
#include "simd/for_target.hpp"
#include "stepping/on_threads.hpp"
#include "stepping/thread_error.hpp"

#include <omp.h>

#include <cmath>

namespace beadwave::packing {

FastPackingEngine::FastPackingEngine(const Packing& packing, double dt, int threads,
                                     const simd::InstructionSet& instructions, Sleep sleep,
                                     ranks::Communicator* ranks, ContactRecords records)
    : PackingBackend(packing, dt),
      dt_(dt),
      threads_(threads),
      laws_(packing_, instructions),
      share_(ranks, packing.particles()),
      bodies_(packing_, share_,
              {.velocities = laws_.slides || laws_.rolls || records != ContactRecords::none,
               .predicted = laws_.traits.depends_on_speed || laws::needs_velocity(laws_.slider) ||
                            laws_.rolls || box_.strains(),
               .rolling = laws_.rolls,
               .masses = box_.strains()}),
      contacts_(laws_.pairs, bodies_),
      sleep_(sleep),
      travel_(packing_, dt),
      sum_lines_(std::min(block_size, packing.particles()), packing.walls.size()),
      walls_(packing_, around_.loads),
      elements_(around_, bodies_, share_),
      depth_(packing.radius) {
    const simd::FlushSubnormals flush;
    if (records != ContactRecords::none) {
        works_ = std::make_unique<ContactWorks>(records != ContactRecords::rubbing,
                                                WorkingContacts{.packing = packing_,
                                                                .time_step = dt_,
                                                                .threads = threads_,
                                                                .share = share_,
                                                                .bodies = bodies_,
                                                                .contacts = contacts_,
                                                                .sums = sums_,
                                                                .elements = elements_.stepper,
                                                                .discard = sum_lines_.discard()});
        elements_.works = works_.get();
    }
    device_ = open_device_pairs(packing_, laws_.pairs, kept_of_contacts(),
                                bodies_.needs().velocities, bodies_.needs().predicted, threads_);
    if (packing_.precision == Precision::mixed) {
        bodies_.set_writes(StepWrites::in_place);
    } else if (!bodies_.needs().velocities && !elements_.any() && !device_) {
        bodies_.set_writes(StepWrites::half_in_place);
    }
    around_.hold_absent();
    for (std::size_t i = 0; i < bodies_.held(); ++i) {
        const std::size_t p = bodies_.id(i);
        if (population_.is_absent(p)) continue;
        Vec3 velocity = packing_.velocity[p];
        if (box_.strains())
            velocity += box_.affine_velocity(packing_.position[p] - packing_.box.lower);
        bodies_.set_velocity(i, velocity);
        bodies_.set_rim(i, packing_.radius[p] * packing_.angular_velocity[p]);
    }
    around_.packing.velocity = around_.packing.angular_velocity = {};
    bodies_.sort(population_.absent(), threads_);
    bodies_.move(share_.begin(), share_.end());
    elements_.find_slots();
    if (packing_.precision == Precision::mixed)
        contacts_.mixed =
            std::make_unique<MixedPairs>(laws_.pairs.slider().index(), laws_.slides,
                                         laws_.slides || laws_.rolls, box_.strains(), instructions);
    travel_.far.choose(bodies_.half(0), bodies_, share_, population_.absent(), threads_);
    build_pair_list();
    contacts_.memory.reset(kept_of_contacts(), contacts_.entries.count());
    bodies_.predict_present();
    update_ghosts();
    adopt_mixed_pairs();
    if (device_) let_device_build_lists();
    // Twice, like the plain engine. Nothing moves, and no work counts.
    for (int time = 0; time < 2; ++time)
        step_all_blocks(true, 0.0, nullptr);
    for (std::size_t i = 0; i < bodies_.held(); ++i)
        bodies_.clear_work_of_change(i);
    std::ranges::fill(bodies_.rolling_work(), 0.0);
    end_box_step(0.0, false);
    initial_.power = power_now();
    initial_.stored = contacts_.stored(sums_).normal;
    if (works_) works_->start();
}

void FastPackingEngine::run(std::int64_t steps, ParticleTrace& trace, bool more) {
    // What contacts do is settled between stretches, in the order of the list.
    more = more && !works_;
    trace.force.resize(static_cast<std::size_t>(steps) * trace.particles.size());
    trace.velocity.resize(trace.force.size());
    if (steps <= 0) return;
    if (share_.shared()) {
        std::ranges::fill(trace.force, Vec3{});
        std::ranges::fill(trace.velocity, Vec3{});
    }
    const bool samples = !trace.particles.empty(), pistons = box_.has_pistons(),
               alone = steps_alone() || (samples && pistons);
    bool moved_on = false;  // by the step before
    for (std::int64_t s = 0; s < steps; ++s) {
        if (!moved_on) {
            if (box_.starts_after(step_)) start_box();
            if (works_) works_->settle(false);
        }
        ++step_;
        walls_.loads.begin_step(time());
        box_.begin_step();
        elements_.stepper.begin(step_);
        if (moved_on) {
            flip_sides();
        } else {
            drift();
            if (share_.shared()) exchange_halo();
        }
        update_ghosts();
        const double moved = largest_difference();
        const bool last = s + 1 == steps;
        // Alone, what contacts do is settled at each step, in the order of the list.
        taken_.settles = (last && !more) || (alone && works_);
        if (taken_.settles || moved >= travel_.skin()) near_.restore();
        if (contacts_.mixed && (last || moved >= travel_.skin())) renew_doubles();
        if (moved >= travel_.skin()) {
            travel_.note_leap(moved);
            if (!rebuild_on_device()) rebuild();
        }
        taken_.row = static_cast<std::size_t>(s);
        moved_on = !last && !alone && !box_.starts_after(step_);
        step_all_blocks(!moved_on || pistons, dt_, samples && !pistons ? &trace : nullptr);
        end_box_step(dt_, moved_on);
        if (!moved_on) finish_step();
        if (samples && pistons) sample_row(trace);
    }
    taken_.settles = true;
    if (!share_.shared() || !samples || pistons) return;
    share_rows(share_.ranks(), trace.force);
    share_rows(share_.ranks(), trace.velocity);
}

void FastPackingEngine::flip_sides() {
    if (contacts_.mixed) {
        contacts_.mixed->flip();
        return;
    }
    bodies_.flip();
    if (device_) device_->flip();
}

void FastPackingEngine::finish_step() {
    if (contacts_.mixed) contacts_.mixed->mark_stale();
    bodies_.add_changes(box_.strains() ? threads_ : 1);  // without strain once per advance
}

double FastPackingEngine::asleep_fraction() const {
    std::int64_t asleep_blocks = 0;
    for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b)
        asleep_blocks += sleep_.will_sleep(b) ? 1 : 0;
    if (share_.shared()) share_.ranks().sum({&asleep_blocks, 1});
    return static_cast<double>(asleep_blocks) / static_cast<double>(bodies_.blocks());
}

void FastPackingEngine::step_all_blocks(bool last, double step, ParticleTrace* trace) {
    if (device_) return step_on_device(last, step, trace);
    sleep_.begin_step();
    travel_.begin_step(share_.own_blocks());
    walls_.forces.begin_step(share_.own_blocks());
    depth_.begin_step(share_.own_blocks());
    if (box_.strains()) {
        box_forces_.begin(share_.own_blocks());
        find_box_kick(!last);
    }
    elements_.begin_forces(step);
    if (contacts_.mixed) contacts_.mixed->prepare_step(bodies_, contacts_.entries, threads_);
    const bool shared = share_.shared();
    const std::span<const std::uint32_t> border = share_.border_blocks(),
                                         inner = share_.inner_blocks();
    border_stretches_.begin();
    inner_stretches_.begin();
    stepping::ThreadError error;
    sum_lines_.give_threads(static_cast<std::size_t>(threads_));
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
        const int thread = omp_get_thread_num();
        Scratch scratch;
        Sums sums{};
        error.guard([&] { sums = sum_lines_.sums(static_cast<std::size_t>(thread), laws_.rolls); });
        const auto step_one = [&](std::size_t b) {
            const std::size_t own = b - share_.first_block();
            if (!last && !box_.strains() && sleep_.is_asleep(b)) {
                travel_.stay(own);
                near_.stay(b);
                return;
            }
            const auto began =
                shared ? RankBalance::Clock::now() : RankBalance::Clock::time_point{};
            error.guard([&] { step_block(b, last, step, scratch, sums, trace); });
            if (shared) balance_.add(own, began);
        };
        if (shared) {  // first the blocks that others wait for
            border_stretches_.each(thread, [&](std::size_t k) { step_one(border[k]); });
#pragma omp barrier
#pragma omp single nowait
            if (!last) error.guard([&] { share_.send(next_halo(), next_halo_of_blocks()); });
        }
        inner_stretches_.each(thread, [&](std::size_t k) { step_one(inner[k]); });
    });
    if (error.failed()) sum_lines_.drop_sums();  // they may hold the sums of a block
    error.rethrow();
    balance_.end_step();
    if (shared && !last) receive_next_halo();
    if (works_ && !last) works_->share_bends(bodies_.side() ^ 1);
    depth_.end_step();
    if (!last) end_travel();
    walls_.end_step(step, share_);
}

void FastPackingEngine::end_travel() {
    travel_.include(share_);
    travel_.end_step();
    if (box_.strains()) near_.approach_by(box_next_.approach);
    near_.end_step();
}

Kick FastPackingEngine::kick_of(std::size_t b, bool last) {
    Kick kick{.begin = share_.block_begin(b),
              .end = share_.block_end(b),
              .force = nullptr,
              .torque = nullptr,
              .before = bodies_.lines(),
              .after = last ? bodies_.changes() : bodies_.next_lines(),
              .rolling_work = bodies_.rolling_work().data(),
              .kick = bodies_.kicks().data(),
              .inverse_kick = bodies_.inverse_kicks().data(),
              .angular_kick = bodies_.angular_kicks().data(),
              .gravity_change = {},
              .time_step = dt_,
              .power = false,
              .reach = travel_.far.any() ? travel_.far.reach().data() : nullptr,
              .box = box_.strains() ? &box_next_.kick : nullptr,
              .change = bodies_.change(0),
              .box_sums = {},
              .extent = {},
              .half = {},
              .quiet = false};
    put(kick.gravity_change, (0.5 * dt_) * packing_.gravity);
    return kick;
}

void FastPackingEngine::step_block(std::size_t b, bool last, double step, Scratch& scratch,
                                   const Sums& sums, ParticleTrace* trace) {
    std::ranges::fill(scratch.deepest, 0.0);
    step_pairs(b, step, scratch, sums);
    const std::size_t own = b - share_.first_block();
    if (depth_.may_be_deeper(*std::ranges::max_element(scratch.deepest)))
        depth_.set_block(own, contacts_.deepest(b, step_));
    take_wall_forces(b, sums);
    if (box_.strains()) take_image_forces(b, sums);
    elements_.step(b, step, sums);
    if (trace != nullptr) record(b, sums, *trace);
    Kick kick = kick_of(b, last);
    kick.force = sums.force;
    kick.torque = sums.torque;
    kick.power = !laws_.traits.conservative && step > 0.0;
    if (contacts_.mixed) {
        contacts_.mixed->kick(kick);
    } else {
        laws_.kernel.kick(kick);
    }
    if (box_.strains()) box_forces_.of_particles[own] = box_.force_of(particle_sums(kick.box_sums));
    elements_.move(b, last, kick.power, kick.extent, contacts_.mixed.get());
    travel_.of_block(own) = kick.extent;
    if (!last) near_.move(b, kick.half, dt_);
    if (!last && travel_.far.any())
        travel_.farthest_of_block(own) = travel_.far.farthest(b, kick.after.place);
    sleep_.end_step(b, kick.quiet);
}

}  // namespace beadwave::packing
