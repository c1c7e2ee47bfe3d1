// Rebuilds the fast engine's neighbour list; forces on walls.

#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "simd/flush_subnormals.hpp"
#include "stepping/on_threads.hpp"

#include <algorithm>
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

std::vector<PairBefore> FastPackingEngine::find_before(const NeighbourList& list,
                                                       const PairsBefore& before) const {
    std::vector<PairBefore> found(list.pairs());
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < found.size(); ++p)
        found[p] = before.find(oriented_key(key_of_pair(list, p), bodies_.ids()));
    return found;
}

void FastPackingEngine::take_over(const ListedPairs& listed, const ContactMemory& memory,
                                  std::vector<char>& goes_on) {
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < listed.before.size(); ++p) {
        const PairBefore& was = listed.before[p];
        if (was.is_new()) continue;
        // The new references change the part of the overlap that comes from displacements; the gap
        // makes up for it.
        const std::uint32_t e = contacts_.listed[p];
        if (!has_fixed_gap(packing_.walls, was.wall))
            contacts_.entries.gap[e] += contacts_.geometry(e).overlap - was.overlap;
        if (!goes_on.empty()) goes_on[was.entry] = 1;
    }
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t e = 0; e < contacts_.entries.count(); ++e) {
        const std::uint32_t p = listed.of_entry[e];
        if (p == no_pair || listed.before[p].is_new()) continue;
        // Both entries of a pair between two blocks have its gap.
        if (contacts_.listed[p] != e)
            contacts_.entries.gap[e] = contacts_.entries.gap[contacts_.listed[p]];
        const PairBefore& was = listed.before[p];
        contacts_.memory.take(e, memory, was.entry, was.turned ? -1.0 : 1.0);
    }
}

void FastPackingEngine::rebuild() {
    PairsBefore before{.old = contacts_.old_pairs(share_.shared(), threads_), .came = {}};
    watch_old_pairs(before.old.all);
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
    if (share_.shared()) cut_blocks(before.old.all);
    before.came = take_pairs(before.old.all, memory);
    bodies_.move(begin, end);
    elements_.find_slots();
    elements_.follow(owners_before);
    const ListedPairs listed = build_pair_list(&before);
    update_ghosts();
    std::vector<char> goes_on(keeps_accounts() ? old_entries + before.came.size() : 0);
    take_over(listed, memory, goes_on);
    if (keeps_accounts()) works_->close({before.old.all, before.came}, goes_on, memory);
    adopt_mixed_pairs();
    travel_.begin_list();
}

}  // namespace beadwave::packing
