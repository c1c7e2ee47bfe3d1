// Rebuilds the fast engine's neighbour list; its ghosts and walls.

#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
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
    const auto update = [&](std::size_t g) {
        const Ghost& ghost = bodies_.ghosts[g];
        const std::size_t body = bodies_.held() + g;
        double *const d = bodies_.place(body), *const half = bodies_.half(body);
        double* const predicted = bodies_.predicted(body);
        if (ghost.wall < 0) {
            if ((contacts_.mixed && !contacts_.mixed->is_stale()) || ahead) return;
            put(d, bodies_.displacement(ghost.of));
            // Whole lines, because the compiler expands a copy of known size in place.
            constexpr std::size_t bytes = line * sizeof(double);
            if (bodies_.needs().velocities) std::memcpy(half, bodies_.half(ghost.of), bytes);
            if (predicted != nullptr) std::memcpy(predicted, bodies_.predicted(ghost.of), bytes);
            return;
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
    if (box_.strains()) shift_images();
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
        if (contacts_.memory.entries() == 0) return;  // a new list, which gets it later
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

void FastPackingEngine::watch_old_pairs(const std::vector<double>& overlap) {
    const std::span<const std::uint32_t> home = contacts_.home();
    DeepContact deepest;  // of the particle with the lowest number
    for (std::size_t p = home.size(); p-- > 0;) {
        const std::uint32_t body = contacts_.entries.first[home[p]];
        const Ghost* const wall = bodies_.wall_of(contacts_.entries.second[home[p]]);
        if (wall == nullptr) break;  // walls are last
        const std::size_t first = bodies_.id(body),
                          second = particles() + static_cast<std::size_t>(wall->wall);
        const double depth = depth_of(overlap[p], bodies_.radius(body), 0.0);
        if (depth > deepest.depth || (depth == deepest.depth && first <= deepest.first))
            deepest = {depth, overlap[p], first, second, step_};
    }
    depth_.note_lost(deepest);
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

EntriesBefore FastPackingEngine::find_entries_before(const std::vector<OldPair>& old) {
    const RowsOfPairs rows(
        old, bodies_.held(),
        [&](const OldPair& pair) {
            const std::uint32_t body = bodies_.body_of(pair.pair.key.first);
            return body == BlockShare::none ? no_pair : body;
        },
        threads_);
    PairEntries& entries = contacts_.entries;
    EntriesBefore before{std::vector<std::uint32_t>(entries.count(), no_pair),
                         std::vector<char>(entries.count(), 0)};
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t e = 0; e < entries.count(); ++e) {
        if (entries.is_padding(e)) continue;
        const OrientedKey key = contacts_.numbered_key(e);
        const std::uint32_t first = entries.first[e],
                            lower = key.flip ? bodies_.particle_of(entries.second[e]) : first;
        for (const std::uint32_t k : rows.row(lower)) {
            const OldPair& was = old[k];
            if (was.pair.key != key.key) continue;
            before.from[e] = was.entry;
            before.turned[e] = was.pair.flip != key.flip ? 1 : 0;
            // The new references change the part of the overlap that comes from displacements; the
            // gap makes up for it.
            if (!has_fixed_gap(packing_.walls, key.key.wall))
                entries.gap[e] += contacts_.geometry(e).overlap - was.overlap;
        }
    }
    return before;
}

void FastPackingEngine::rebuild() {
    std::vector<double> overlap = contacts_.overlaps(threads_);
    watch_old_pairs(overlap);
    contacts_.show_springs();
    if (contacts_.mixed) {
        contacts_.mixed->include_rounding(contacts_.rounding(sums_));
        contacts_.mixed->mark_stale();
    }
    ContactMemory memory = std::exchange(contacts_.memory, {});
    if (works_) works_->close_blocks();
    const ElementOwners owners_before = elements_.owners();
    const std::size_t begin = share_.begin(), end = share_.end();
    bodies_.recentre(threads_);
    walls_.begin_list();
    box_.begin_list();
    travel_.far.choose(bodies_.half(0), bodies_, share_, population_.absent());
    bodies_.sort(population_.absent(), threads_);
    if (share_.shared()) cut_blocks();
    const std::vector<OldPair> old = old_pairs(overlap, memory);
    overlap = std::vector<double>();    // `= {}` keeps memory
    contacts_.entries = PairEntries();  // makes room for the search
    bodies_.move(begin, end);
    elements_.find_slots();
    elements_.follow(owners_before);
    build_pair_list();
    update_ghosts();
    const EntriesBefore before = find_entries_before(old);
    if (keeps_accounts()) works_->close(old, before, memory);
    memory.follow(before, threads_);
    contacts_.memory = std::move(memory);
    adopt_mixed_pairs();
    travel_.begin_list();
}

}  // namespace beadwave::packing
