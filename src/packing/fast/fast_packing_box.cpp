// The fast engine in a box that strains.

#include "fast_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>

namespace beadwave::packing {

Vec3 FastPackingEngine::from_lower(std::size_t i) const {
    return (bodies_.reference(i) - packing_.box.lower) + bodies_.displacement(i);
}

/// Whether no step moves on to the next one: accounts are settled after each, a device gives its
/// lines back, or images of other ranks' particles need doubles that mixed halos do not carry.
bool FastPackingEngine::steps_alone() const {
    return box_.strains() && (device_ || works_ || (contacts_.mixed && share_.shared()));
}

void FastPackingEngine::start_box() {
    const simd::FlushSubnormals flush;
    near_.restore();
    taken_.settles = true;
    if (works_) works_->settle();
    const double power_before = power_now();
    walls_.loads.renew(time());
    box_.start();
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        if (!bodies_.is_fixed(i))
            bodies_.set_velocity(i, bodies_.velocity(i) + box_.affine_velocity(from_lower(i)));
    }
    bodies_.predict_present();
    rebuild_list();
    renew_forces_after(power_before, 0);
}

/// `moves_on`: the kick, to the end of the next step.
void FastPackingEngine::find_box_kick(bool moves_on) {
    BoxMotion next = box_;
    if (moves_on) next.begin_step();
    box_next_ = {.kick = {.inverse = matrix_of(box_.inverse()),
                          .rate = matrix_of(box_.predicted()),
                          .acceleration = matrix_of(box_.acceleration()),
                          .rounding = BoxMotion::rounding,
                          .mass = bodies_.masses().data(),
                          .force = 2.0 / dt_,
                          .stretches = {matrix_of(next.stretch()), matrix_of(next.step_stretch())},
                          .steps_per_time = 1.0 / dt_},
                 .approach = next.approach_in_step(travel_.reach())};
    put(box_next_.kick.lower, packing_.box.lower);
}

/// The force of the contacts on a particle after a step that is the last one of an advance.
Vec3 FastPackingEngine::force_by_contacts(std::size_t i) const {
    const Vec3 change = bodies_.velocity_change(i) - (0.5 * dt_) * packing_.gravity;
    return (2.0 / dt_ * bodies_.mass(i)) * change;
}

/// The sums that the kick makes, for steps that a device took.
void FastPackingEngine::add_particles_to_box() {
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
        for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b) {
            BoxMotion::ParticleSums sums;
            for (std::size_t i = share_.block_begin(b); i < share_.block_end(b); ++i) {
                if (bodies_.is_fixed(i)) continue;  // not there
                box_.add_particle(sums, bodies_.mass(i), from_lower(i), force_by_contacts(i),
                                  triple(bodies_.predicted(i)));
            }
            box_forces_.of_particles[b - share_.first_block()] = box_.force_of(sums);
        }
    });
}

void FastPackingEngine::end_box_step(double step, bool moves_on) {
    if (!box_.strains()) return;
    if (device_) add_particles_to_box();
    const BoxForces::Sums sums = box_forces_.sums(share_);
    box_.end_step(sums.of_images, sums.of_particles, step);
    if (box_.has_pistons()) push_all_blocks(step, moves_on);
}

void FastPackingEngine::push_all_blocks(double step, bool moves_on) {
    find_box_kick(moves_on);
    travel_.begin_step(share_.own_blocks());
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
        for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b) {
            Kick kick = kick_of(b, !moves_on);
            kick.power = !laws_.traits.conservative && step > 0.0;
            if (contacts_.mixed) {
                contacts_.mixed->push(kick);
            } else {
                laws_.kernel.push(kick);
            }
            if (!moves_on) continue;
            travel_.of_block(b - share_.first_block()) = kick.extent;
            near_.move(b, kick.half, dt_);
        }
    });
    if (!moves_on) return;
    if (share_.shared()) {
        share_.send(next_halo(), next_halo_of_blocks());
        receive_next_halo();
    }
    end_travel();
}

void FastPackingEngine::take_image_forces(std::size_t b, const Sums& sums) {
    const std::span<const ImageSum> images = sum_lines_.images(b);
    Edges on_images;
    for (std::size_t k = 0; k < images.size(); ++k) {
        const std::size_t from = line * sum_lines_.of_image(k);
        if (images[k].first_is_here)  // once for each pair
            add_to_edges(on_images, triple(sums.force + from),
                         bodies_.ghosts[images[k].ghost].image);
        for (double* const all : {sums.force, sums.torque}) {
            if (all == nullptr) continue;
            if (images[k].to != ImageSum::of_other_block) {
                double* const to = all + line * images[k].to;
                for (std::size_t j = 0; j < line; ++j)
                    to[j] += all[from + j];
            }
            std::fill_n(all + from, line, 0.0);
        }
    }
    box_forces_.of_images[b - share_.first_block()] = on_images;
}

}  // namespace beadwave::packing
