// Memory layout of the fast engine: pairs per block, law parameters.

#include "fast_packing_engine.hpp"
#include "packing/pair_matching.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
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

}  // namespace

/// Builds a new list for the present references; gaps are set as if all pairs were new.
void FastPackingEngine::build_pair_list() {
    hold_neighbours();
    std::vector<Vec3> position(n_);
    std::vector<double> radius(n_);
    kick_.resize(2 * n_);
    const std::vector<char> held = packing_.held(), away = population_.absent();
    std::vector<char> fixed(held.size()), absent(away.size());
    angular_kick_.resize(rolls_ ? n_ : 0);
    for (std::size_t i = 0; i < n_; ++i) {
        position[i] = triple(place(i) + 4);
        radius[i] = place(i)[3];
        const std::uint32_t id = id_[i];
        if (!fixed.empty()) fixed[i] = held[id];
        if (!absent.empty()) absent[i] = away[id];
        const double mobile = packing_.is_fixed(id) ? 0.0 : 1.0;
        kick_[2 * i] = mobile * (0.5 * dt_ * (1.0 / packing_.mass[id]));
        const double angular_kick =
            mobile * (radius[i] * (0.5 * dt_ * (1.0 / packing_.inertia[id])));
        if (rolls_) angular_kick_[i] = angular_kick;
        kick_[2 * i + 1] = radius[i] * angular_kick;
    }
    list_ = find_neighbours({.position = position,
                             .radius = radius,
                             .walls = packing_.walls,
                             .moved = wall_at_list_,
                             .box = packing_.box,
                             .skin = skin_,
                             .threads = threads_,
                             .fixed = fixed,
                             .edges = box_.at_list(),
                             .time = list_time_,
                             .absent = absent,
                             .own_begin = share_.begin(),
                             .own_end = share_.end()});

    // Lines of ghosts and of the dummy in both buffers.
    const std::size_t bodies = n_ + list_.ghosts.size() + 1;
    const auto widen = [&](Column& column, bool keep) {
        Column wide(line * bodies);
        if (keep) std::copy_n(column.data(), line * n_, wide.data());
        column = std::move(wide);
    };
    for (int side = 0; side < 2; ++side) {
        widen(place_[side], side == now_);
        widen(half_[side], true);
        if (predicted_needed_) widen(predicted_[side], side == now_);
    }
    std::copy_n(place_[now_].data(), line * n_, place_[now_ ^ 1].data());
    for (std::size_t g = 0; g + 1 < bodies - n_; ++g) {
        const Ghost& ghost = list_.ghosts[g];
        Vec3 reference = position[ghost.of];
        if (ghost.wall >= 0) {
            reference = closest(ghost.of, ghost.wall).point;
        } else {
            reference += box_.at_list().shift(ghost.image);
        }
        for (Column& side : place_) {
            put(side.data() + line * (n_ + g) + 4, reference);
            side[line * (n_ + g) + 3] = ghost.wall >= 0 ? 0.0 : radius[ghost.of];
            side[line * (n_ + g) + 7] = 1.0 / radius[ghost.of];
        }
    }
    for (Column& side : place_)
        put(side.data() + line * (bodies - 1) + 4, {1e6, 1e6, 1e6});
    build_entries();
    rim_ghosts_.adopt(list_.ghosts);
#ifdef __GLIBC__
    malloc_trim(0);  // the search for pairs used as much memory as what follows needs
#endif
    reset_contact_memory();
    build_law_table();
}

void FastPackingEngine::build_entries() {
    const std::size_t pairs = list_.pairs(), count = blocks();
    const auto second_body = [&](std::size_t p) -> std::uint32_t {
        const std::uint32_t second = list_.second[p];
        if (second < n_) return second;
        const Ghost& ghost = list_.ghosts[second - n_];
        return ghost.wall >= 0 ? list_.first[p] : ghost.of;
    };
    std::vector<std::vector<std::uint32_t>> of_block(count);
    adjacent_blocks_.assign(count, {});
    for (std::size_t p = 0; p < pairs; ++p) {
        const auto a = static_cast<std::uint32_t>(share_.block_of(list_.first[p]));
        const auto b = static_cast<std::uint32_t>(share_.block_of(second_body(p)));
        if (share_.has_block(a)) of_block[a].push_back(static_cast<std::uint32_t>(p));
        if (a == b) continue;
        if (share_.has_block(b)) of_block[b].push_back(static_cast<std::uint32_t>(p));
        if (adjacent_blocks_[a].empty() || adjacent_blocks_[a].back() != b) {
            adjacent_blocks_[a].push_back(b);
            adjacent_blocks_[b].push_back(a);
        }
    }
    entry_begin_.assign(count + 1, 0);
    for (std::size_t b = 0; b < count; ++b) {
        const std::size_t length =
            (of_block[b].size() + entry_block - 1) / entry_block * entry_block;
        entry_begin_[b + 1] = entry_begin_[b] + length;
        sort_out(adjacent_blocks_[b]);
        // Walls stay last.
        const auto walls = std::ranges::find_if(
            of_block[b], [&](std::uint32_t p) { return pair_key(list_, n_, p).wall >= 0; });
        interleave({of_block[b].begin(), walls});
    }
    const std::size_t entries = entry_begin_.back();
    first_.assign(entries, 0);
    second_.assign(entries, dummy());
    kind_.assign(entries, 0);
    to_first_.assign(entries, static_cast<std::uint16_t>(discard_line()));
    to_second_.assign(entries, static_cast<std::uint16_t>(discard_line()));
    listed_.assign(pairs, 0);
    gap_ = Column(entries, 1e6);
    laws_.forget();
    std::vector<std::uint32_t> pair_kind(pairs);
    std::vector<double> pair_gap(pairs);
    for (std::size_t p = 0; p < pairs; ++p) {
        const std::uint32_t first = list_.first[p];
        const PairKey key = pair_key(list_, n_, p);
        const double *a = place(first), *b = place(list_.second[p]);
        const Vec3 r = triple(b + 4) - triple(a + 4);
        const bool wall = key.wall >= 0;
        std::uint32_t id_1 = id_[first], id_2 = wall ? 0 : id_[key.second];
        if (!wall && id_1 > id_2) std::swap(id_1, id_2);
        pair_kind[p] = laws_.kind(id_1, wall ? static_cast<std::uint32_t>(
                                                   particles() + static_cast<std::size_t>(key.wall))
                                             : id_2);
        pair_gap[p] =
            wall ? first_wall_gap(packing_.walls[static_cast<std::size_t>(key.wall)], triple(a + 4),
                                  wall_at_list_[static_cast<std::size_t>(key.wall)], a[3])
                 : first_gap(std::sqrt(dot(r, r)), a[3] + b[3]);
    }
    single_kind_.assign(count, true);
    stays_awake_.assign(count, false);
    turning_entries_.assign(count, {});
    most_turning_entries_ = 0;
    image_entries_.assign(count, {});
    most_image_entries_ = 0;
    quiet_steps_.assign(count, 0);
    block_extent_.assign(share_.own_blocks(), {});
    for (std::size_t b = 0; b < count; ++b) {
        const auto base = static_cast<std::uint32_t>(share_.block_begin(b));
        for (std::size_t k = 0; k < of_block[b].size(); ++k) {
            const std::uint32_t p = of_block[b][k];
            const std::size_t e = entry_begin_[b] + k;
            first_[e] = list_.first[p];
            second_[e] = list_.second[p];
            kind_[e] = pair_kind[p];
            gap_[e] = pair_gap[p];
            if (kind_[e] != kind_[entry_begin_[b]]) single_kind_[b] = false;
            if (share_.block_of(first_[e]) == b) {
                listed_[p] = static_cast<std::uint32_t>(e);
                to_first_[e] = static_cast<std::uint16_t>(first_[e] - base);
            } else if (!share_.has(first_[e])) {
                listed_[p] = static_cast<std::uint32_t>(e);
            }
            const PairKey key = pair_key(list_, n_, p);
            if (key.wall >= 0) {
                to_second_[e] = static_cast<std::uint16_t>(discard_line() + 1 +
                                                           static_cast<std::size_t>(key.wall));
                if (walls_move_) stays_awake_[b] = true;
                if (packing_.walls[static_cast<std::size_t>(key.wall)].angular_velocity != 0.0) {
                    to_second_[e] = static_cast<std::uint16_t>(
                        discard_line() + 1 + packing_.walls.size() + image_entries_[b].size() +
                        turning_entries_[b].size());
                    turning_entries_[b].push_back(static_cast<std::uint32_t>(e));
                    most_turning_entries_ =
                        std::max(most_turning_entries_, turning_entries_[b].size());
                }
            } else if (box_.strains() && list_.second[p] >= n_) {
                // Walls come last in the list, so the block's lines of images are complete then.
                to_second_[e] = static_cast<std::uint16_t>(
                    discard_line() + 1 + packing_.walls.size() + image_entries_[b].size());
                image_entries_[b].push_back(static_cast<std::uint32_t>(e));
                most_image_entries_ = std::max(most_image_entries_, image_entries_[b].size());
            } else if (share_.block_of(key.second) == b) {
                to_second_[e] = static_cast<std::uint16_t>(key.second - base);
            }
        }
        for (std::size_t e = entry_begin_[b] + of_block[b].size(); e < entry_begin_[b + 1]; ++e) {
            first_[e] = base;
            kind_[e] = pairs > 0 ? kind_[entry_begin_[b]] : 0;
        }
    }
    if (discard_line() + 1 + packing_.walls.size() + most_image_entries_ + most_turning_entries_ >
        std::numeric_limits<std::uint16_t>::max())
        throw std::runtime_error(
            most_turning_entries_ > most_image_entries_
                ? "1024 particles have more than 60,000 contacts with walls that turn: expected "
                  "meshes of coarser triangles, or a larger feature_angle"
                : "too many pairs across the sides of a box that strains, more than 60,000 of 1024 "
                  "particles");
    list_carriers();
    share_counts(list_);
    free_memory(list_.first);
    free_memory(list_.second);
    build_prefetch_list();
}

void FastPackingEngine::build_prefetch_list() {
    prefetch_.clear();
    prefetch_begin_.clear();
    first_batch_.clear();
    std::vector<std::size_t> seen_by(std::size_t{dummy()} + 1, blocks());
    for (std::size_t b = 0; b < blocks(); ++b) {
        first_batch_.push_back(prefetch_begin_.size());
        for (std::size_t e = entry_begin_[b]; e < entry_begin_[b + 1]; ++e) {
            if ((e - entry_begin_[b]) % batch == 0)
                prefetch_begin_.push_back(static_cast<std::uint32_t>(prefetch_.size()));
            for (const std::uint32_t body : {first_[e], second_[e]}) {
                if (std::exchange(seen_by[body], b) != b) prefetch_.push_back(body);
            }
        }
    }
    // Two more ends: of the last batch, and of the empty one after it.
    prefetch_begin_.insert(prefetch_begin_.end(), 2, static_cast<std::uint32_t>(prefetch_.size()));
}

/// Sets the memory of all entries to that of contacts that never touched.
void FastPackingEngine::reset_contact_memory() {
    const std::size_t entries = first_.size();
    memory_.clear();
    for (std::size_t k = 0; k < traits_.memory_numbers; ++k)
        memory_.emplace_back(entries);
    for (std::size_t k = 0; k < 4; ++k) {
        if (slides_) sliding_[k] = Column(entries);
        if (rolls_) rolling_[k] = Column(entries);
    }
    tangential_force_.clear();
    const bool linear = std::holds_alternative<laws::LinearSlider<double>>(slider_);
    for (std::size_t k = 0; linear && k < 3; ++k)
        tangential_force_.emplace_back(entries);
}

/// Law parameters as columns: of all kinds of pairs, or of all entries.
void FastPackingEngine::build_law_table() {
    // Parameters of many kinds, which are far apart, cost more than a column for every entry.
    constexpr std::size_t most_kinds_in_cache = 64;
    table_.by_entry = laws_.kinds() > most_kinds_in_cache;
    const std::size_t rows = table_.by_entry ? first_.size() : laws_.kinds();
    const auto columns = [&](std::size_t count, const double** to) {
        std::vector<Column> made;
        for (std::size_t k = 0; k < count; ++k)
            to[k] = made.emplace_back(rows).data();
        return made;
    };
    table_.law_fields = laws_.normal().numbers().size();
    table_.slider_fields = std::visit(
        []<class Slider>(const Slider&) { return laws::field_count<Slider>; }, laws_.slider());
    law_numbers_ = columns(table_.law_fields, table_.law);
    slider_numbers_ = columns(table_.slider_fields, table_.slider);
    rolling_numbers_ = columns(rolls_ ? 4 : 0, table_.rolling);
    inverse_radii_ = Column(rows, 1.0);
    turning_ = Column(rows, 1.0);
    for (std::size_t row = 0; row < rows; ++row) {
        const PairLaw& law =
            laws_.law(table_.by_entry ? kind_[row] : static_cast<std::uint32_t>(row));
        for (std::size_t k = 0; k < law_numbers_.size(); ++k)
            law_numbers_[k][row] = law.normal.numbers()[k];
        std::visit(
            [&](const auto& slider) {
                laws::to_fields(slider,
                                [&](std::size_t k, double x) { slider_numbers_[k][row] = x; });
            },
            law.slider);
        if (!rolls_) continue;
        laws::to_fields(law.rolling,
                        [&](std::size_t k, double x) { rolling_numbers_[k][row] = x; });
    }
    for (std::size_t e = 0; e < first_.size(); ++e) {
        if (second_[e] == dummy()) continue;
        const std::size_t row = table_.by_entry ? e : kind_[e];
        const double second = place(second_[e])[3];
        inverse_radii_[row] = 1.0 / (place(first_[e])[3] + second);
        if (second == 0.0) turning_[row] = 0.0;
    }
    table_.inverse_radii = inverse_radii_.data();
    table_.turning = turning_.data();
}

}  // namespace beadwave::packing
