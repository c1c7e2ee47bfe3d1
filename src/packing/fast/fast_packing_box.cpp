// The fast engine in a box that strains.

#include "fast_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

namespace beadwave::packing {

Vec3 FastPackingEngine::from_lower(std::size_t i) const {
    return (bodies_.reference(i) - packing_.box.lower) + bodies_.displacement(i);
}

/// Whether a step ends before the next one may begin: pistons need the forces on the box, accounts
/// each step, and the lines of floats those of doubles.
bool FastPackingEngine::steps_alone() const {
    return box_.strains() &&
           (box_.has_pistons() || device_ || works_ || (contacts_.mixed && share_.shared()));
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

/// `last`: the kick does not move particles on.
void FastPackingEngine::begin_box_forces(bool last) {
    box_forces_.begin(share_.own_blocks());
    BoxMotion next = box_;
    if (!last) next.begin_step();
    box_next_ = {.kick = {.inverse = matrix_of(box_.inverse()),
                          .rate = matrix_of(box_.predicted()),
                          .rounding = BoxMotion::rounding,
                          .mass = bodies_.masses().data(),
                          .force = 2.0 / dt_,
                          .stretch = matrix_of(next.stretch()),
                          .step_stretch = matrix_of(next.step_stretch()),
                          .steps_per_time = 1.0 / dt_},
                 .approach = next.approach_in_step(travel_.reach())};
    put(box_next_.kick.lower, packing_.box.lower);
}

/// The force of the contacts on a particle after a step that is the last one of an advance.
Vec3 FastPackingEngine::force_by_contacts(std::size_t i) const {
    const Vec3 change = bodies_.velocity_change(i) - (0.5 * dt_) * packing_.gravity;
    return (2.0 / dt_ * bodies_.mass(i)) * change;
}

template <class Visit>
void FastPackingEngine::each_particle_in_box(Visit visit) {
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
        for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b) {
            for (std::size_t i = share_.block_begin(b); i < share_.block_end(b); ++i)
                if (!bodies_.is_fixed(i)) visit(b - share_.first_block(), i);  // else not there
        }
    });
}

void FastPackingEngine::end_box_step(double step) {
    if (!box_.strains()) return;
    if (device_) {
        std::vector<BoxMotion::ParticleSums> of_block(share_.own_blocks());
        each_particle_in_box([&](std::size_t own, std::size_t i) {
            box_.add_particle(of_block[own], bodies_.mass(i), from_lower(i), force_by_contacts(i),
                              triple(bodies_.predicted(i)));
        });
        std::ranges::transform(of_block, box_forces_.of_particles.begin(),
                               [&](const auto& sums) { return box_.force_of(sums); });
    }
    const BoxForces::Sums sums = box_forces_.sums(share_);
    box_.end_step(sums.of_images, sums.of_particles, step);
    if (!box_.has_pistons()) return;
    const bool power = !laws_.traits.conservative && step > 0.0;
    each_particle_in_box([&](std::size_t, std::size_t i) {
        const Vec3 push = push_change(i);
        double* const change = bodies_.change(i);
        // The step has counted the contacts' power without the push.
        if (power) change[7] += dot(force_by_contacts(i), push);
        put(change, triple(change) + push);
    });
}

void FastPackingEngine::shift_images() {
    for (std::size_t g = 0; g < bodies_.ghosts.size(); ++g) {
        const Ghost& ghost = bodies_.ghosts[g];
        if (ghost.wall >= 0) continue;
        const auto add = [&](double* to, const Edges& edges) {
            put(to, triple(to) + edges.shift(ghost.image));
        };
        const std::size_t body = bodies_.held() + g;
        add(bodies_.place(body), box_.moved());
        add(bodies_.half(body), box_.half());
        add(bodies_.predicted(body), box_.predicted());
    }
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
