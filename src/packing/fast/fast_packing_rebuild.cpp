// Rebuilds the fast engine's neighbour list; forces on walls.

#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"

#include <algorithm>
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

std::vector<PairBefore> FastPackingEngine::find_before(const NeighbourList& list,
                                                       std::span<const OldPair> old) const {
    static_assert(BlockShare::none == no_pair);
    const RowsOfPairs rows(
        old, bodies_.held(),
        [&](const OldPair& pair) { return bodies_.body_of(pair.pair.key.first); }, threads_);
    std::vector<PairBefore> found(list.pairs());
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < found.size(); ++p) {
        const PairKey bodies = key_of_pair(list, p);
        const OrientedKey key = oriented_key(bodies, bodies_.ids());
        const std::uint32_t k =
            rows.find(key.flip ? bodies.second : bodies.first, mark_of(key.key),
                      [&](std::uint32_t number) { return old[number].pair.key == key.key; });
        if (k == no_pair) continue;
        const OldPair& was = old[k];
        found[p] = {was.overlap, was.entry, was.kind, key.key.wall, was.pair.flip != key.flip};
    }
    return found;
}

EntriesBefore FastPackingEngine::take_over(const ListedPairs& listed) {
    PairEntries& entries = contacts_.entries;
    std::vector<double> overlap;
    if (!listed.before.empty()) overlap = contacts_.overlaps(contacts_.listed, threads_);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t p = 0; p < listed.before.size(); ++p) {
        const PairBefore& was = listed.before[p];
        // The new references change the part of the overlap that comes from displacements; the gap
        // makes up for it.
        const std::uint32_t e = contacts_.listed[p];
        if (!was.is_new() && !has_fixed_gap(packing_.walls, was.wall))
            entries.gap[e] += overlap[p] - was.overlap;
    }
    EntriesBefore before{std::vector<std::uint32_t>(entries.count(), no_pair),
                         std::vector<char>(entries.count(), 0)};
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t e = 0; e < entries.count(); ++e) {
        const PairBefore* const was = listed.before_of(e);
        if (was == nullptr) continue;
        // Both entries of a pair between two blocks have its gap.
        const std::uint32_t one = contacts_.listed[listed.of_entry[e]];
        if (one != e) entries.gap[e] = entries.gap[one];
        before.from[e] = was->entry;
        before.turned[e] = was->turned ? 1 : 0;
    }
    return before;
}

void FastPackingEngine::rebuild() {
    std::vector<double> overlap = contacts_.overlaps(contacts_.home(), threads_);
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
    travel_.far.choose(bodies_.half(0), bodies_, share_, population_.absent(), threads_);
    bodies_.sort(population_.absent(), threads_);
    if (share_.shared()) cut_blocks();
    const std::vector<OldPair> old = old_pairs(overlap, memory);
    overlap = std::vector<double>();    // `= {}` keeps memory
    contacts_.entries = PairEntries();  // makes room for the search
    bodies_.move(begin, end);
    elements_.find_slots();
    elements_.follow(owners_before);
    const ListedPairs listed = build_pair_list(old);
    update_ghosts();
    const EntriesBefore before = take_over(listed);
    if (keeps_accounts()) works_->close(old, before, memory);
    memory.follow(before, threads_);
    contacts_.memory = std::move(memory);
    adopt_mixed_pairs();
    travel_.begin_list();
}

}  // namespace beadwave::packing
