// The fast engine in a box that strains.

#include "fast_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

namespace beadwave::packing {

Vec3 FastPackingEngine::from_lower(std::size_t i) const {
    return (bodies_.reference(i) - packing_.box.lower) + bodies_.displacement(i);
}

void FastPackingEngine::advance_straining(std::int64_t steps, ParticleTrace& trace, bool more) {
    ParticleTrace row{.particles = trace.particles, .force = {}, .velocity = {}};
    for (std::int64_t s = 0; s < steps; ++s) {
        if (box_.starts_after(step_)) {
            near_.restore();
            taken_.settles = true;
            start_box();
        }
        if (works_) works_->settle(false);
        ++step_;
        walls_.loads.begin_step(time());
        box_.begin_step();
        drift();
        if (share_.shared()) exchange_halo();
        update_ghosts();
        const double moved = largest_difference();
        // What contacts do is settled at each step, in the order of the list.
        taken_.settles = (s + 1 == steps && !more) || works_;
        if (taken_.settles || moved >= travel_.skin()) near_.restore();
        if (moved >= travel_.skin()) {
            travel_.note_leap(moved);
            rebuild();
        }
        step_all_blocks(true, dt_, nullptr);
        end_box_step(dt_);
        finish_step();
        if (row.particles.empty()) continue;
        sample(row);
        const auto at = static_cast<std::ptrdiff_t>(s) * std::ssize(row.particles);
        std::ranges::copy(row.force, trace.force.begin() + at);
        std::ranges::copy(row.velocity, trace.velocity.begin() + at);
    }
    taken_.settles = true;
}

void FastPackingEngine::start_box() {
    const simd::FlushSubnormals flush;
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

void FastPackingEngine::end_box_step(double step) {
    if (!box_.strains()) return;
    box_forces_.begin_particles(share_.own_blocks());
    const std::size_t first = share_.first_block(), end = share_.end_block();
    const auto by_contacts = [&](std::size_t i) {
        const Vec3 change = bodies_.velocity_change(i) - (0.5 * dt_) * packing_.gravity;
        return (2.0 / dt_ * bodies_.mass(i)) * change;
    };
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
        for (std::size_t b = first; b < end; ++b) {
            BoxMotion::ParticleSums sums;
            for (std::size_t i = share_.block_begin(b); i < share_.block_end(b); ++i) {
                if (bodies_.is_fixed(i)) continue;  // not there
                box_.add_particle(sums, bodies_.mass(i), from_lower(i), by_contacts(i),
                                  triple(bodies_.predicted(i)));
            }
            box_forces_.of_particles[b - first] = box_.force_of(sums);
        }
    });
    const BoxForces::Sums sums = box_forces_.sums(share_);
    box_.end_step(sums.of_images, sums.of_particles, step);
    if (!box_.has_pistons()) return;
    const bool power = !laws_.traits.conservative && step > 0.0;
    stepping::on_threads(threads_, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(static)
        for (std::size_t b = first; b < end; ++b) {
            for (std::size_t i = share_.block_begin(b); i < share_.block_end(b); ++i) {
                if (bodies_.is_fixed(i)) continue;
                const Vec3 push = push_change(i);
                double* const change = bodies_.change(i);
                // The step has counted the contacts' power without the push.
                if (power) change[7] += dot(by_contacts(i), push);
                put(change, triple(change) + push);
            }
        }
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
    for (std::size_t k = 0; k < images.size(); ++k) {
        const Ghost& ghost = bodies_.ghosts[images[k].ghost];
        const double* const on_image = sums.force + line * sum_lines_.of_image(k);
        if (images[k].first_is_here) {  // once for each pair
            Edges& sum = box_forces_.of_images[b - share_.first_block()];
            for (std::size_t j = 0; j < Edges::numbers; ++j)
                sum.of[j] += on_image[Edges::row[j]] * ghost.image[Edges::column[j]];
        }
        for (double* const all : {sums.force, sums.torque}) {
            if (all == nullptr) continue;
            double* const from = all + line * sum_lines_.of_image(k);
            if (share_.block_of(ghost.of) == b) {
                double* const to = all + line * (ghost.of - share_.block_begin(b));
                for (std::size_t j = 0; j < line; ++j)
                    to[j] += from[j];
            }
            std::fill_n(from, line, 0.0);
        }
    }
}

}  // namespace beadwave::packing
