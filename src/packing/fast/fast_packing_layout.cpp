// Memory layout of the fast engine: pairs per block, law parameters.

#include "block_cuts.hpp"
#include "fast_packing_engine.hpp"
#include "packing/neighbours/pair_matching.hpp"
#include "pair_overlaps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace beadwave::packing {

namespace {

#ifdef __GLIBC__
// If another allocator replaces glibc's, glibc sets up its own at the first such call and binds it
// to the calling thread. The program would crash when that thread ends, so the first call happens
// when this file is loaded.
[[maybe_unused]] const int set_up = malloc_trim(0);
#endif

/// Reorders the pairs of each batch, so that pairs next to each other have different first
/// particles. Otherwise their sums wait for one another.
void interleave(std::span<std::uint32_t> pairs) {
    constexpr std::size_t rows = 8;
    std::array<std::uint32_t, batch> sorted{};
    for (std::size_t from = 0; from < pairs.size(); from += batch) {
        const auto part = pairs.subspan(from, std::min(batch, pairs.size() - from));
        std::ranges::copy(part, sorted.begin());
        const std::size_t columns = (part.size() + rows - 1) / rows;
        auto to = part.begin();
        for (std::size_t column = 0; column < columns; ++column) {
            for (std::size_t k = column; k < part.size(); k += columns)
                *to++ = sorted[k];
        }
    }
}

/// A pair whose second particle is in this block, and its first one in another.
struct OtherBlock {
    std::uint32_t block, number;
};

}  // namespace

void FastPackingEngine::place_new_ghosts() {
    walls_.face(
        bodies_.ghosts, [&](std::uint32_t i) { return bodies_.reference(i); },
        [&](std::uint32_t i) { return bodies_.radius(i); });
    const auto reference = [&](std::size_t g) {
        const Ghost& ghost = bodies_.ghosts[g];
        if (ghost.wall >= 0) return walls_.facing(g).surface.point;
        return bodies_.reference(ghost.of) + box_.at_list().shift(ghost.image);
    };
    bodies_.widen(reference, threads_);
}

NeighbourList FastPackingEngine::find_pairs() const {
    std::vector<Vec3> position(bodies_.held());
    std::vector<double> radius(bodies_.held());
    std::vector<char> fixed(bodies_.may_be_held() ? bodies_.held() : 0),
        absent(population_.changes() ? bodies_.held() : 0);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t i = 0; i < bodies_.held(); ++i) {
        position[i] = bodies_.reference(i);
        radius[i] = bodies_.radius(i) + travel_.far.chosen(bodies_, i);
        if (!fixed.empty()) fixed[i] = bodies_.is_held(i) ? 1 : 0;
        if (!absent.empty()) absent[i] = population_.is_absent(bodies_.id(i)) ? 1 : 0;
    }
    return find_neighbours({.position = position,
                            .radius = radius,
                            .walls = packing_.walls,
                            .moved = walls_.at_list().displacement,
                            .box = packing_.box,
                            .skin = travel_.skin(),
                            .threads = threads_,
                            .fixed = fixed,
                            .edges = box_.at_list(),
                            .time = walls_.at_list().time,
                            .absent = absent,
                            .own_begin = share_.begin(),
                            .own_end = share_.end()});
}

ListedPairs FastPackingEngine::build_pair_list(std::span<const OldPair> old) {
    if (share_.shared()) bodies_.hold(wanted_by_ranks());
    bodies_.set_kicks(dt_, threads_);
    NeighbourList list = find_pairs();
    bodies_.ghosts = std::move(list.ghosts);
    place_new_ghosts();
    travel_.far.adopt(bodies_, share_);
    std::vector<PairBefore> of_pairs;
    if (!old.empty()) of_pairs = find_before(list, old);
    ListedPairs listed = build_entries(std::move(list), std::move(of_pairs));
    walls_.rim_ghosts.adopt(bodies_.ghosts);
    walls_.seam_ghosts.adopt(bodies_.ghosts, packing_.walls);
#ifdef __GLIBC__
    // The search for pairs used as much memory as what follows needs. To fault it in again for the
    // next list takes longer than the search itself: only where memory may be short is it given
    // back.
    constexpr std::size_t many = 1'000'000;
    const int processes = share_.shared() ? share_.ranks().on_this_node() : 1;
    if (bodies_.held() * static_cast<std::size_t>(processes) >= many) malloc_trim(0);
#endif
    if (works_) works_->begin_blocks();
    laws_.build_table(contacts_.entries, listed, threads_);
    near_.reset(may_leave_out_pairs(packing_) && !device_, travel_.skin());
    if (device_) device_->mark_stale();
    return listed;
}

KeptOfContacts FastPackingEngine::kept_of_contacts() const {
    const bool memory_is_force =
        !laws_.slides || std::holds_alternative<laws::Mindlin<double>>(laws_.slider);
    return {.normal_numbers = laws_.traits.memory_numbers,
            .slides = laws_.slides,
            .rolls = laws_.rolls,
            .tangential_force = laws::needs_velocity(laws_.slider),
            .works = keeps_accounts(),
            .rubs = works_ && !packing_.walls.empty(),
            .pushes = memory_is_force && !box_.strains() && packing_.elements.motions.empty()};
}

/// The numbers of the pairs of each block, those with walls last; and which blocks are adjacent.
FastPackingEngine::PairsOfBlocks FastPackingEngine::pairs_of_blocks(const NeighbourList& list) {
    const std::size_t pairs = list.pairs(), count = bodies_.blocks();
    const auto second_body = [&](std::size_t p) -> std::uint32_t {
        const std::uint32_t second = list.second[p];
        if (second < bodies_.held()) return second;
        const Ghost& ghost = bodies_.ghosts[second - bodies_.held()];
        return ghost.wall >= 0 ? list.first[p] : ghost.of;
    };
    PairsOfBlocks of_block(count);
    sleep_.reset(count);
    // Pairs with walls are last; before them the pairs of a block's particles follow one another.
    std::size_t between = pairs;
    while (between > 0 && key_of_pair(list, between - 1).wall >= 0)
        --between;
    std::vector<std::size_t> own_begin(count + 1, between);
    for (std::size_t p = between; p-- > 0;)
        own_begin[share_.block_of(list.first[p])] = p;
    for (std::size_t b = count; b-- > 0;)
        own_begin[b] = std::min(own_begin[b], own_begin[b + 1]);
    std::vector<std::vector<OtherBlock>> others(count);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t p = own_begin[a]; p < own_begin[a + 1]; ++p) {
            const std::size_t b = share_.block_of(second_body(p));
            if (a != b)
                others[a].push_back({static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(p)});
        }
    }
    for (std::size_t a = 0; a < count; ++a) {
        for (const OtherBlock& pair : others[a]) {
            if (share_.has_block(pair.block)) of_block[pair.block].push_back(pair.number);
            sleep_.add_adjacent(static_cast<std::uint32_t>(a), pair.block);
        }
    }
    sleep_.end_adjacent();
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t b = share_.first_block(); b < share_.end_block(); ++b) {
        std::vector<std::uint32_t>& all = of_block[b];
        for (std::size_t p = own_begin[b]; p < own_begin[b + 1]; ++p)
            all.push_back(static_cast<std::uint32_t>(p));
    }
    for (std::size_t p = between; p < pairs; ++p) {
        const std::size_t b = share_.block_of(list.first[p]);
        if (share_.has_block(b)) of_block[b].push_back(static_cast<std::uint32_t>(p));
    }
    return of_block;
}

/// Makes room for the entries of the blocks. Pairs next to each other get different particles.
void FastPackingEngine::make_entries(PairsOfBlocks& of_block, const NeighbourList& list) {
    const std::size_t count = of_block.size();
    std::vector<std::size_t> pairs_of_block(count);
    std::vector<std::uint32_t> between_of_block(count);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t b = 0; b < count; ++b) {
        pairs_of_block[b] = of_block[b].size();
        // Walls stay last.
        const auto walls = std::ranges::find_if(
            of_block[b], [&](std::uint32_t p) { return key_of_pair(list, p).wall >= 0; });
        interleave({of_block[b].begin(), walls});
        between_of_block[b] = static_cast<std::uint32_t>(walls - of_block[b].begin());
    }
    PairEntries& to = contacts_.entries;
    to.reset(pairs_of_block, bodies_.dummy(), static_cast<std::uint16_t>(sum_lines_.discard()));
    to.between = std::move(between_of_block);
    contacts_.listed.assign(list.pairs(), 0);
}

std::vector<std::uint32_t> FastPackingEngine::kinds_of_pairs(
    const NeighbourList& list, const std::vector<PairBefore>& before) {
    std::vector<std::uint32_t> kind(list.pairs(), PairLaws::unknown), others;
    laws_.pairs.forget();
    if (!before.empty()) {
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
        for (std::size_t p = 0; p < kind.size(); ++p) {
            if (before[p].kind != PairLaws::unknown) kind[p] = laws_.pairs.keep(before[p].kind);
        }
    }
    for (std::size_t p = 0; p < kind.size(); ++p) {
        if (kind[p] == PairLaws::unknown) others.push_back(static_cast<std::uint32_t>(p));
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers(others.size());
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t k = 0; k < others.size(); ++k) {
        const std::uint32_t p = others[k];
        const PairKey key = key_of_pair(list, p);
        const std::uint32_t first = bodies_.id(list.first[p]);
        if (key.wall >= 0) {
            const std::size_t wall = particles() + static_cast<std::size_t>(key.wall);
            numbers[k] = {first, static_cast<std::uint32_t>(wall)};
            continue;
        }
        const std::uint32_t second = bodies_.id(key.second);
        numbers[k] = {std::min(first, second), std::max(first, second)};
    }
    const std::vector<std::uint32_t> found = laws_.pairs.kinds_of(numbers, threads_);
    for (std::size_t k = 0; k < others.size(); ++k)
        kind[others[k]] = found[k];
    return kind;
}

double FastPackingEngine::first_gap_to_wall(std::uint32_t body) const {
    const std::size_t g = body - bodies_.held();
    const Ghost& ghost = bodies_.ghosts[g];
    // The ghost of a mesh is always at the same reference, one radius away.
    if (walls_.wall(static_cast<std::size_t>(ghost.wall)).mesh() != nullptr) return 0.0;
    return first_gap(walls_.facing(g).surface.distance, bodies_.radius(ghost.of));
}

void FastPackingEngine::cut_between_threads() {
    const auto cut = [&](stepping::ThreadStretches& stretches,
                         std::span<const std::uint32_t> blocks) {
        std::vector<std::int64_t> weight;
        for (const std::uint32_t b : blocks)
            weight.push_back(static_cast<std::int64_t>(block_size + contacts_.entries.end(b) -
                                                       contacts_.entries.begin(b)));
        const std::size_t count = std::min(blocks.size(), static_cast<std::size_t>(threads_));
        stretches.cut(count > 0 ? even_cuts({weight, weight}, count) : Cuts{});
    };
    cut(border_stretches_, share_.border_blocks());
    cut(inner_stretches_, share_.inner_blocks());
}

ListedPairs FastPackingEngine::build_entries(NeighbourList list, std::vector<PairBefore> before) {
    PairsOfBlocks of_block = pairs_of_blocks(list);
    make_entries(of_block, list);
    const std::vector<std::uint32_t> kind = kinds_of_pairs(list, before);
    PairEntries& to = contacts_.entries;
    ListedPairs listed{.before = std::move(before),
                       .of_entry = std::vector<std::uint32_t>(to.count(), no_pair),
                       .travelled = share_.shared()};
    const std::size_t count = of_block.size();
    sum_lines_.reset(count);
    travel_.reset_blocks(share_.own_blocks());
    balance_.begin_list(share_.own_blocks());
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t b = 0; b < count; ++b) {
        const auto base = static_cast<std::uint32_t>(share_.block_begin(b));
        for (std::size_t k = 0; k < of_block[b].size(); ++k) {
            const std::uint32_t p = of_block[b][k];
            const std::size_t e = to.begin(b) + k;
            listed.of_entry[e] = p;
            to.first[e] = list.first[p];
            to.second[e] = list.second[p];
            to.kind[e] = kind[p];
            if (to.kind[e] != to.kind[to.begin(b)]) to.single_kind[b] = false;
            if (share_.block_of(to.first[e]) == b) {
                contacts_.listed[p] = static_cast<std::uint32_t>(e);
                to.to_first[e] = static_cast<std::uint16_t>(to.first[e] - base);
            } else if (!share_.has(to.first[e])) {
                contacts_.listed[p] = static_cast<std::uint32_t>(e);
            }
            const PairKey key = key_of_pair(list, p);
            const auto sum_at = [&](std::size_t its_line) {
                to.to_second[e] = static_cast<std::uint16_t>(its_line);
            };
            if (key.wall >= 0) {
                to.gap[e] = first_gap_to_wall(list.second[p]);
                const auto wall = static_cast<std::size_t>(key.wall);
                if (walls_.move()) sleep_.keep_awake(b);
                sum_at(packing_.walls[wall].angular_velocity != 0.0
                           ? sum_lines_.add_turning(b, static_cast<std::uint32_t>(e))
                           : sum_lines_.of_wall(wall));
            } else if (box_.strains() && list.second[p] >= bodies_.held()) {
                // Walls come last in the list, so the block's lines of images are complete then.
                const auto ghost = static_cast<std::uint32_t>(list.second[p] - bodies_.held());
                const std::uint32_t of = bodies_.ghosts[ghost].of;
                sum_at(sum_lines_.add_image(
                    b, {ghost, share_.block_of(to.first[e]) == b,
                        share_.block_of(of) == b ? of - base : ImageSum::of_other_block}));
            } else if (share_.block_of(key.second) == b) {
                sum_at(key.second - base);
            }
        }
        find_first_gaps(bodies_, to, to.begin(b), to.begin(b) + to.between[b]);
        for (std::size_t e = to.begin(b) + of_block[b].size(); e < to.end(b); ++e) {
            to.first[e] = base;
            to.kind[e] = list.pairs() > 0 ? to.kind[to.begin(b)] : 0;
        }
    }
    sum_lines_.check();
    elements_.list(sleep_);
    share_counts(list);
    cut_between_threads();
    list.first = list.second = std::vector<std::uint32_t>();  // `= {}` keeps memory
    to.build_prefetch_list();
    return listed;
}

}  // namespace beadwave::packing
