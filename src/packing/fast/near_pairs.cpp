#include "near_pairs.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace beadwave::packing {
namespace {

/// Steps for which a margin is meant to suffice. A look costs as much as about half a step of all
/// pairs; in a drum 5 to 16 steps take about the same time.
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
    if (!acts) return;
    const PairEntries& entries = contacts_.entries;
    blocks_.resize(entries.blocks());
    listed_at_.resize(entries.count());
    std::size_t most = 0;
    for (std::size_t b = 0; b < entries.blocks(); ++b) {
        const std::size_t from = entries.begin(b), count = entries.end(b) - from;
        most = std::max(most, count);
        std::iota(listed_at_.begin() + static_cast<std::ptrdiff_t>(from),
                  listed_at_.begin() + static_cast<std::ptrdiff_t>(from + count), 0u);
        Block& block = blocks_[b];
        const std::span<const std::uint32_t> adjacent = sleep_.adjacent(b);
        block.may = share_.has_block(b) && std::ranges::all_of(adjacent, [&](std::uint32_t other) {
                        return share_.has_block(other);
                    });
        block.between = entries.between[b];
        block.near_end = block.far_end = count;
        block.wait = first_wait;
        block.pause = first_wait;
        block.from.resize(adjacent.size() + 1);
    }
    approached_ = 0.0;
    travel_.assign(entries.blocks(), {});
    next_travel_ = travel_;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        begin_travel(b);
    columns_ = contacts_.memory.columns_of_particles();
    columns_.push_back(&contacts_.entries.gap);
    table_.each_entry_column([&](simd::Column& column) { columns_.push_back(&column); });
    spare_.resize(static_cast<std::size_t>(threads_));
    for (Spare& spare : spare_) {
        for (simd::Column* const column : {&spare.overlap, &spare.numbers})
            if (column->size() < most) *column = simd::Column(most);
        spare.order.resize(most);
        spare.place.resize(most);
        spare.words.resize(most);
    }
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

NearPairs::Part NearPairs::part(std::size_t b, std::size_t thread) {
    Block& block = blocks_[b];
    ++block.steps;
    if (!block.leaves_out())
        return {block.near_end, block.far_end, acts_now_ && block.may && --block.wait <= 0};
    const double moved = approach(b);
    if (!(moved <= block.margin)) {
        restore(b, spare_[thread]);
        return {block.near_end, block.far_end, true};
    }
    block.steps_left_out += static_cast<std::int64_t>(block.far_end - block.near_end);
    const bool soon = moved * (1.0 + 2.0 / static_cast<double>(block.steps)) > block.margin;
    return {block.near_end, block.far_end, soon};
}

void NearPairs::put_aside(std::size_t b, std::size_t thread) {
    Block& block = blocks_[b];
    Spare& spare = spare_[thread];
    const double margin = std::clamp(steps_ahead * approach(b) / static_cast<double>(block.steps),
                                     1e-4 * skin_, skin_);
    find_places(b, spare);
    const PairEntries& entries = contacts_.entries;
    const std::size_t from = entries.begin(b);
    const bool any_far = far_.any();
    const auto is_near = [&](std::uint32_t e) {
        return !(spare.overlap[e] < -margin) ||
               (any_far &&
                (far_.is_far(entries.first[from + e]) || far_.is_far(entries.second[from + e])));
    };
    const auto all_near = static_cast<std::size_t>(
        std::count_if(spare.place.begin(),
                      spare.place.begin() + static_cast<std::ptrdiff_t>(block.between), is_near));
    begin_travel(b);
    const std::size_t near_end = (all_near + entry_block - 1) / entry_block * entry_block,
                      far_end = block.between / entry_block * entry_block;
    if (near_end >= far_end ||
        static_cast<double>(all_near) > most_near * static_cast<double>(block.between)) {
        restore(b, spare);
        block.pause = std::min(2 * block.pause, longest_pause);
        block.wait = block.pause;
        return;
    }
    std::size_t near = 0, far = all_near;
    for (std::size_t k = 0; k < block.between; ++k) {
        const std::uint32_t e = spare.place[k];
        spare.order[is_near(e) ? near++ : far++] = e;
    }
    arrange(b, {spare.order.data(), block.between}, spare);
    block.margin = margin;
    block.pause = first_wait;
    block.near_end = near_end;
    block.far_end = far_end;
    list_prefetches(b);
}

void NearPairs::restore() {
    if (!acts_) return;
#pragma omp parallel for num_threads(threads_) if (threads_ > 1) schedule(dynamic)
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        if (!blocks_[b].leaves_out()) continue;
        restore(b, spare_[static_cast<std::size_t>(omp_get_thread_num())]);
        blocks_[b].wait = 1;
    }
}

void NearPairs::restore(std::size_t b, Spare& spare) {
    Block& block = blocks_[b];
    if (!block.leaves_out()) return;
    find_places(b, spare);
    arrange(b, {spare.place.data(), block.between}, spare);
    block.near_end = block.far_end = contacts_.entries.end(b) - contacts_.entries.begin(b);
}

void NearPairs::find_places(std::size_t b, Spare& spare) const {
    const std::uint32_t* const listed_at = listed_at_.data() + contacts_.entries.begin(b);
    for (std::size_t e = 0; e < blocks_[b].between; ++e)
        spare.place[listed_at[e]] = static_cast<std::uint32_t>(e);
}

void NearPairs::arrange(std::size_t b, std::span<const std::uint32_t> order, Spare& spare) {
    PairEntries& entries = contacts_.entries;
    const std::size_t from = entries.begin(b);
    const auto arrange_column = [&](auto* column, auto* kept) {
        for (std::size_t k = 0; k < order.size(); ++k)
            kept[k] = column[order[k]];
        std::copy_n(kept, order.size(), column);
    };
    for (simd::Column* const column : columns_)
        arrange_column(column->data() + from, spare.numbers.data());
    for (std::vector<std::uint32_t>* const words :
         {&entries.first, &entries.second, &entries.kind, &listed_at_})
        arrange_column(words->data() + from, spare.words.data());
    for (std::vector<std::uint16_t>* const lines : {&entries.to_first, &entries.to_second})
        arrange_column(lines->data() + from, spare.words.data());
}

void NearPairs::list_prefetches(std::size_t b) {
    Block& block = blocks_[b];
    const PairEntries& entries = contacts_.entries;
    const std::size_t from = entries.begin(b), count = entries.end(b) - from;
    const std::uint32_t* const of_list = entries.of_block(b).prefetch_begin;
    block.prefetch_begin.clear();
    std::uint32_t begin = of_list[0];
    for (std::size_t k = 0; k < count; k += batch) {
        // The batches in between are looked at only; what is behind them begins in its own batch.
        const bool aside = k >= block.near_end && k < block.far_end;
        const std::size_t first = aside ? block.far_end : k;
        const std::size_t listed = first < count ? listed_at_[from + first] : count;
        begin = std::max(begin, of_list[listed / batch]);
        block.prefetch_begin.push_back(begin);
    }
    const std::uint32_t end = of_list[(count + batch - 1) / batch];
    block.prefetch_begin.insert(block.prefetch_begin.end(), 2, end);
}

void NearPairs::give(Entries& e, std::size_t b) const {
    if (acts_ && blocks_[b].leaves_out()) e.prefetch_begin = blocks_[b].prefetch_begin.data();
}

std::int64_t NearPairs::left_out() const {
    std::int64_t all = 0;
    for (const Block& block : blocks_)
        all += block.steps_left_out;
    return all;
}

}  // namespace beadwave::packing
