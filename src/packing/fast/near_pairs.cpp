#include "near_pairs.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::packing {
namespace {

/// Steps for which a margin is meant to suffice.
constexpr double steps_ahead = 10.0;
/// More than this part of the pairs near: it does not pay to put the others aside.
constexpr double most_near = 0.85;
constexpr int first_wait = 4, longest_pause = 512;

Extent difference(const Extent& now, const Extent& before) {
    Extent moved;
    for (std::size_t k = 0; k < 3; ++k) {
        moved.lowest[k] = now.lowest[k] - before.lowest[k];
        moved.highest[k] = now.highest[k] - before.highest[k];
    }
    return moved;
}

}  // namespace

void NearPairs::reset(bool acts, double skin) {
    acts_ = acts;
    skin_ = skin;
    const PairEntries& entries = contacts_.entries;
    travel_.assign(entries.blocks(), {});  // travels to other ranks in any case
    next_travel_ = travel_;
    if (!acts) return;
    blocks_.resize(entries.blocks());
    std::size_t most = 0;
    for (std::size_t b = 0; b < entries.blocks(); ++b) {
        Block& block = blocks_[b];
        const std::span<const std::uint32_t> adjacent = sleep_.adjacent(b);
        block.may = share_.has_block(b);
        block.far_end = entries.between[b] / entry_block * entry_block;
        most = std::max(most, block.far_end);
        block.leaves_out = false;
        block.wait = first_wait;
        block.pause = first_wait;
        block.from.resize(adjacent.size() + 1);
    }
    approached_ = 0.0;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        begin_travel(b);
    found_.resize(static_cast<std::size_t>(threads_));
    for (std::vector<std::uint32_t>& found : found_)
        found.resize(most + entry_block);
}

void NearPairs::begin_travel(std::size_t b) {
    Block& block = blocks_[b];
    block.steps = 0;
    block.approached = approached_;
    block.from[0] = travel_[b];
    const std::span<const std::uint32_t> adjacent = sleep_.adjacent(b);
    for (std::size_t k = 0; k < adjacent.size(); ++k)
        block.from[k + 1] = travel_[adjacent[k]];
}

double NearPairs::approach(std::size_t b) const {
    const Block& block = blocks_[b];
    const Extent own = difference(travel_[b], block.from[0]);
    double most = own.diagonal();
    const std::span<const std::uint32_t> adjacent = sleep_.adjacent(b);
    for (std::size_t k = 0; k < adjacent.size(); ++k) {
        Extent both = own;
        both.include(difference(travel_[adjacent[k]], block.from[k + 1]));
        most = std::max(most, both.diagonal());
    }
    constexpr double for_rounding = 1.0 + 1e-9;
    return for_rounding * (most + (approached_ - block.approached));
}

void NearPairs::move(std::size_t b, const Extent& velocity, double time) {
    if (!acts_) return;
    for (std::size_t k = 0; k < 3; ++k) {
        next_travel_[b].lowest[k] = travel_[b].lowest[k] + time * velocity.lowest[k];
        next_travel_[b].highest[k] = travel_[b].highest[k] + time * velocity.highest[k];
    }
}

Entries NearPairs::entries(std::size_t b) const {
    Entries e = contacts_.entries.of_block(b);
    contacts_.memory.give(e, false);
    return e;
}

NearPairs::Part NearPairs::part(std::size_t b) {
    Block& block = blocks_[b];
    ++block.steps;
    Part all{.looks = acts_now_ && block.may && --block.wait <= 0};
    if (!block.leaves_out) return all;
    const double moved = approach(b);
    if (!(moved <= block.margin)) {
        restore(b);
        all.looks = true;
        return all;
    }
    block.steps_left_out += static_cast<std::int64_t>(block.far_end - block.near.count);
    const bool soon = moved * (1.0 + 2.0 / static_cast<double>(block.steps)) > block.margin;
    return {&block.near, &block.table, block.far_end, soon};
}

void NearPairs::look(std::size_t b, const Lines& lines, const PackingKernel& kernel,
                     std::size_t thread) {
    Block& block = blocks_[b];
    block.margin = std::clamp(steps_ahead * approach(b) / static_cast<double>(block.steps),
                              1e-4 * skin_, skin_);
    begin_travel(b);
    std::vector<std::uint32_t>& found = found_[thread];
    const std::size_t near =
        kernel.find_near(lines, contacts_.entries.of_block(b), block.far_end, block.margin,
                         far_.any() ? far_.reach().data() : nullptr, found.data());
    restore(b);
    const std::size_t packed = (near + entry_block - 1) / entry_block * entry_block;
    if (packed >= block.far_end ||
        static_cast<double>(near) > most_near * static_cast<double>(block.far_end)) {
        block.pause = std::min(2 * block.pause, longest_pause);
        block.wait = block.pause;
        return;
    }
    block.pause = first_wait;
    block.listed.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(near));
    // The last register is filled with pairs that are apart.
    for (std::uint32_t k = 0, at = 0; block.listed.size() < packed; ++k) {
        if (at < near && block.listed[at] == k) {
            ++at;
        } else {
            block.listed.push_back(k);
        }
    }
    pack(b);
}

void NearPairs::pack(std::size_t b) {
    Block& block = blocks_[b];
    const Entries of_list = entries(b);
    const std::vector<std::uint32_t>& listed = block.listed;
    const std::size_t count = listed.size();
    const auto pack_words = [&](const auto* from, auto& to) {
        to.resize(count);
        for (std::size_t k = 0; k < count; ++k)
            to[k] = from[listed[k]];
        return to.data();
    };
    std::size_t columns = 0;
    const auto pack_column = [&](const double* from) {
        if (columns == block.numbers.size()) block.numbers.emplace_back();
        simd::Column& to = block.numbers[columns++];
        if (to.size() < count) to = simd::Column(count + count / 8);
        for (std::size_t k = 0; k < count; ++k)
            to[k] = from[listed[k]];
        return to.data();
    };
    Entries& near = block.near;
    near = of_list;
    near.count = count;
    near.number = 0;
    near.first = pack_words(of_list.first, block.first);
    near.second = pack_words(of_list.second, block.second);
    block.table = table_.kernel();
    // Otherwise nobody asks for the kind of an entry.
    if (!of_list.single_kind && !block.table.by_entry)
        near.kind = pack_words(of_list.kind, block.kind);
    near.to_first = pack_words(of_list.to_first, block.to_first);
    near.to_second = pack_words(of_list.to_second, block.to_second);
    near.gap = pack_column(of_list.gap);
    contacts_.memory.each_column_between(near,
                                         [&](double*& column) { column = pack_column(column); });
    if (block.table.by_entry)
        LawTable::each_column(block.table, [&](const double*& column) {
            column = pack_column(column + of_list.number);
        });
    block.leaves_out = true;
    list_prefetches(b);
}

void NearPairs::restore() {
    if (!acts_) return;
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (!blocks_[b].leaves_out) continue;
        restore(b);
        blocks_[b].wait = 1;
    }
}

void NearPairs::restore(std::size_t b) {
    Block& block = blocks_[b];
    if (!block.leaves_out) return;
    block.leaves_out = false;
    Entries of_list = entries(b);
    std::size_t columns = 1;  // after the gaps
    contacts_.memory.each_column_between(of_list, [&](double* column) {
        const simd::Column& packed = block.numbers[columns++];
        for (std::size_t k = 0; k < block.listed.size(); ++k)
            column[block.listed[k]] = packed[k];
    });
}

void NearPairs::list_prefetches(std::size_t b) {
    Block& block = blocks_[b];
    const std::uint32_t* const of_list = contacts_.entries.of_block(b).prefetch_begin;
    block.prefetch_begin.clear();
    for (std::size_t k = 0; k < block.near.count; k += batch)
        block.prefetch_begin.push_back(of_list[block.listed[k] / batch]);
    // Behind them come the entries from far_end on.
    if (!block.prefetch_begin.empty()) block.prefetch_begin[0] = of_list[0];
    block.prefetch_begin.insert(block.prefetch_begin.end(), 2, of_list[block.far_end / batch]);
    block.near.prefetch_begin = block.prefetch_begin.data();
}

std::int64_t NearPairs::left_out() const {
    std::int64_t all = 0;
    for (const Block& block : blocks_)
        all += block.steps_left_out;
    return all;
}

}  // namespace beadwave::packing
