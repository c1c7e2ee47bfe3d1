// The ghosts of the fast engine in a step: images of particles, and walls.

#include "fast_packing_engine.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>

namespace beadwave::packing {

void FastPackingEngine::update_ghosts(bool ahead) {
    walls_.find_steps();
    // The device has copied the lines of images.
    if (ahead) device_->give_wall_particles(bodies_.place(0));
    const bool images = !ahead && renews_images(), strains = box_.strains();
    const auto place_image = [&](std::size_t g) {
        if (strains) return bodies_.place_image(g, box_.moved(), box_.half(), box_.predicted());
        bodies_.place_image(g);
    };
    const std::size_t ghosts = bodies_.ghosts.size(), first_of_walls = walls_.first_ghost();
    // A search among triangles takes microseconds, and other shapes a hundredth. Ghosts do not
    // depend on each other.
    const bool meshes =
        std::ranges::any_of(packing_.walls, [](const Wall& w) { return w.mesh() != nullptr; });
    const std::size_t fewest = meshes ? 64 : 512, together = fewest / 4;
    stepping::on_threads(ghosts > fewest ? threads_ : 1, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(dynamic, together)
        for (std::size_t g = images ? 0 : first_of_walls; g < ghosts; ++g) {
            if (g < first_of_walls) {
                place_image(g);
            } else {
                update_wall_ghost(g);
            }
        }
    });
    if (walls_.rims.any() || walls_.seam_ghosts.any()) share_places();
    if (ahead) device_->take_wall_ghosts(bodies_.lines(), first_wall_ghost());
}

void FastPackingEngine::update_wall_ghost(std::size_t g) {
    constexpr std::size_t ahead = 8;
    if (g + ahead < bodies_.ghosts.size()) {
        __builtin_prefetch(bodies_.place(bodies_.ghosts[g + ahead].of));
        __builtin_prefetch(&walls_.facing(g + ahead));
    }
    const Ghost& ghost = bodies_.ghosts[g];
    const auto w = static_cast<std::size_t>(ghost.wall);
    const WallStep& step = walls_.step(w);
    if ((ghost.image[0] | ghost.image[1] | ghost.image[2]) == 0) return put_wall_ghost(g, step);
    WallStep of_image = step;  // of a mesh
    of_image.from += box_.at_list().shift(ghost.image);
    put_wall_ghost(g, of_image);
}

void FastPackingEngine::put_wall_ghost(std::size_t g, const WallStep& step) {
    const Ghost& ghost = bodies_.ghosts[g];
    const std::size_t body = bodies_.held() + g;
    const WallGhost at =
        wall_ghost(packing_.walls[static_cast<std::size_t>(ghost.wall)], walls_.facing(g),
                   walls_.start(g), bodies_.reference(ghost.of), bodies_.displacement(ghost.of),
                   bodies_.radius(ghost.of), step, patch_of(ghost), walls_.seam_ghosts.contact(g));
    double *const d = bodies_.place(body), *const half = bodies_.half(body);
    double* const predicted = bodies_.predicted(body);
    put(d, at.displacement);
    put(d + 4, at.reference);
    if (!step.moves) return;  // the lines of a new list have no velocities
    put(half, step.at(at.point(), step.half));
    if (predicted != nullptr) put(predicted, step.at(at.point(), step.predicted));
    if (!laws_.rolls) return;
    const Vec3 turning =
        (contacts_.mixed ? mixed_wall_line_radius : wall_line_radius) * step.angular_velocity;
    put(half + 4, turning);
    put(predicted + 4, turning);
}

void FastPackingEngine::share_places() {
    const auto place_of = [&](std::size_t body) { return bodies_.position(body); };
    const auto drop = [&](std::uint32_t ghost) {
        const std::uint32_t particle = bodies_.ghosts[ghost].of;
        double* const d = bodies_.place(bodies_.held() + ghost);
        put(d, triple(d) + out_of_reach(place_of(bodies_.held() + ghost) - place_of(particle),
                                        bodies_.radius(particle)));
    };
    const auto pass = [&](std::uint32_t from, std::uint32_t to) {
        if (contacts_.memory.entries() == 0) return;  // a new list, which gets it later
        // Each wall's ghost has one pair, and these are the last.
        const auto entry_of = [&](std::uint32_t ghost) {
            return contacts_.listed[contacts_.listed.size() - (bodies_.ghosts.size() - ghost)];
        };
        if (device_ && device_->is_ahead()) {
            const std::size_t first = walls_.first_ghost();
            return device_->swap_memory(from - first, to - first);
        }
        const std::uint32_t one = entry_of(from), two = entry_of(to);
        if (device_) device_->mark_memory_stale();
        if (keeps_accounts()) {
            works_->pass_energy(one, two);
            works_->pass_energy(two, one);
        }
        contacts_.memory.swap(one, two);
        if (contacts_.mixed) contacts_.mixed->swap_springs(one, two);
    };
    walls_.rim_ghosts.update(
        place_of, [&](std::size_t wall) { return walls_.loads.displacement(wall); }, drop, pass);
    walls_.seam_ghosts.update(
        [&](std::size_t particle) { return bodies_.radius(particle); },
        [&](std::size_t one, std::size_t two) { return walls_.rims.keeps_memory(one, two); }, drop,
        pass);
}

}  // namespace beadwave::packing
