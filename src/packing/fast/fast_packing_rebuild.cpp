// Rebuilds the fast engine's neighbour list; its ghosts and walls.

#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

namespace beadwave::packing {

void FastPackingEngine::rebuild_list() {
    bodies_.exchange_velocities();
    update_ghosts();
    rebuild();
}

double FastPackingEngine::largest_difference() const {
    return travel_.largest_difference(walls_) +
           (box_.strains() ? box_.approach_within(travel_.reach()) : 0.0);
}

void FastPackingEngine::update_ghosts(bool ahead) {
    walls_.find_steps();
    // The device has copied the lines of images.
    if (ahead) device_->give_wall_particles(bodies_.place(0));
    const bool strains = box_.strains();
    const auto update = [&](std::size_t g) {
        const Ghost& ghost = bodies_.ghosts[g];
        const std::size_t body = bodies_.held() + g;
        double *const d = bodies_.place(body), *const half = bodies_.half(body);
        double* const predicted = bodies_.predicted(body);
        if (ghost.wall < 0) {
            if (ahead || !renews_images()) return;
            if (strains) return bodies_.place_image(g, box_.moved(), box_.half(), box_.predicted());
            return bodies_.place_image(g);
        }
        const auto w = static_cast<std::size_t>(ghost.wall);
        WallStep of_image;
        const WallStep* its_step = &walls_.step(w);
        if (ghost.image != std::array<std::int32_t, 3>{}) {  // of a mesh
            of_image = *its_step;
            of_image.from += box_.at_list().shift(ghost.image);
            its_step = &of_image;
        }
        const WallStep& step = *its_step;
        const WallGhost at = wall_ghost(packing_.walls[w], bodies_.reference(ghost.of),
                                        bodies_.displacement(ghost.of), bodies_.radius(ghost.of),
                                        step, patch_of(ghost), walls_.seam_ghosts.contact(g));
        put(d, at.displacement);
        put(d + 4, at.reference);
        put(half, step.at(at.point(), step.half));
        if (predicted != nullptr) put(predicted, step.at(at.point(), step.predicted));
        if (!laws_.rolls) return;
        const Vec3 turning =
            (contacts_.mixed ? mixed_wall_line_radius : wall_line_radius) * step.angular_velocity;
        put(half + 4, turning);
        put(predicted + 4, turning);
    };
    // A search among triangles takes microseconds. Ghosts do not depend on each other.
    const bool meshes =
        std::ranges::any_of(packing_.walls, [](const Wall& w) { return w.mesh() != nullptr; });
    const std::size_t ghosts = bodies_.ghosts.size(), fewest = meshes ? 64 : 4096,
                      together = fewest / 4;
    stepping::on_threads(ghosts > fewest ? threads_ : 1, [&] {
        const simd::FlushSubnormals flush;
#pragma omp for schedule(dynamic, together)
        for (std::size_t g = 0; g < ghosts; ++g)
            update(g);
    });
    if (walls_.rims.any() || walls_.seam_ghosts.any()) share_places();
    if (ahead) device_->take_wall_ghosts(bodies_.lines(), first_wall_ghost());
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
        // Each wall's ghost has one pair, and these are the last.
        const auto entry_of = [&](std::uint32_t ghost) {
            return contacts_.listed[contacts_.listed.size() - (bodies_.ghosts.size() - ghost)];
        };
        if (device_ && device_->is_ahead()) {
            const std::size_t first = first_wall_ghost() - bodies_.held();
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

void FastPackingEngine::watch_old_pairs(const std::vector<OldPair>& old) {
    for (const OldPair& pair : old) {
        const PairKey& key = pair.pair.key;
        if (key.wall < 0) continue;
        const std::size_t first = key.first,
                          second = particles() + static_cast<std::size_t>(key.wall);
        const double radius = bodies_.radius(contacts_.entries.first[pair.entry]);
        const double depth = depth_of(pair.overlap, radius, 0.0);
        depth_.note_lost({depth, pair.overlap, first, second, step_});
    }
}

void FastPackingEngine::take_wall_forces(std::size_t b, const Sums& sums) {
    const std::size_t walls = packing_.walls.size();
    const std::size_t own = b - share_.first_block();
    Vec3* const on_walls = walls_.forces.force_of_block(own);
    struct OnWall {
        Vec3 force, torque;  // torque by rolling resistance
    };
    const auto take = [&](std::size_t at) {
        OnWall load{.force = triple(sums.force + line * at), .torque = {}};
        std::fill_n(sums.force + line * at, line, 0.0);
        if (sums.torque != nullptr) {
            load.torque = triple(sums.torque + line * at + 4);
            std::fill_n(sums.torque + line * at, line, 0.0);
        }
        return load;
    };
    for (std::size_t w = 0; w < walls; ++w)
        on_walls[w] = take(sum_lines_.of_wall(w)).force;
    if (!walls_.turn()) return;
    const std::span<const std::uint32_t> turning = sum_lines_.turning(b);
    for (std::size_t k = 0; k < turning.size(); ++k) {
        const std::uint32_t ghost = contacts_.entries.second[turning[k]];
        const auto w = static_cast<std::size_t>(bodies_.ghosts[ghost - bodies_.held()].wall);
        const auto [force, torque] = take(sum_lines_.of_turning(b, k));
        const Vec3 arm = bodies_.position(ghost) - walls_.step(w).centre;
        on_walls[w] += force;
        walls_.forces.torque_of_block(own)[w] +=
            dot(cross(arm, force) + torque, packing_.walls[w].direction());
    }
}

void FastPackingEngine::rebuild() {
    const OldPairs old = contacts_.old_pairs(share_.shared(), threads_);
    watch_old_pairs(old.all);
    contacts_.show_springs();
    if (contacts_.mixed) {
        contacts_.mixed->include_rounding(contacts_.rounding(sums_));
        contacts_.mixed->mark_stale();
    }
    ContactMemory memory = std::move(contacts_.memory);
    const std::size_t old_entries = contacts_.entries.count();
    if (works_) works_->close_blocks();
    const ElementOwners owners_before = elements_.owners();
    const std::size_t begin = share_.begin(), end = share_.end();
    bodies_.recentre(threads_);
    walls_.begin_list();
    box_.begin_list();
    travel_.far.choose(bodies_.half(0), bodies_, share_, population_.absent());
    bodies_.sort(population_.absent(), threads_);
    if (share_.shared()) cut_blocks(old.all);
    const std::vector<OldPair> came = take_pairs(old.all, memory);
    bodies_.move(begin, end);
    elements_.find_slots();
    elements_.follow(owners_before);
    build_pair_list();
    update_ghosts();
    std::vector<char> goes_on(keeps_accounts() ? old_entries + came.size() : 0);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t e = 0; e < contacts_.entries.count(); ++e) {
        if (contacts_.entries.is_padding(e)) continue;
        const OrientedKey key = contacts_.numbered_key(e);
        const auto take = [&](const OldPair& was) {
            if (was.pair.key != key.key) return;
            const double sign = was.pair.flip != key.flip ? -1.0 : 1.0;
            // The new references change the part of the overlap that comes from displacements; the
            // gap makes up for it.
            const double fresh = contacts_.geometry(e).overlap;
            if (!has_fixed_gap(packing_.walls, key.key.wall))
                contacts_.entries.gap[e] += fresh - was.overlap;
            contacts_.memory.take(e, memory, was.entry, sign);
            if (!goes_on.empty()) std::atomic_ref(goes_on[was.entry]).store(1);
        };
        std::ranges::for_each(old.row(key.key.first), take);
        const auto id_of = [](const OldPair& pair) { return pair.pair.key.first; };
        for (auto pair = std::ranges::lower_bound(came, key.key.first, {}, id_of);
             pair != came.end() && id_of(*pair) == key.key.first; ++pair)
            take(*pair);
    }
    if (keeps_accounts()) works_->close({old.all, came}, goes_on, memory);
    adopt_mixed_pairs();
    travel_.begin_list();
}

}  // namespace beadwave::packing
