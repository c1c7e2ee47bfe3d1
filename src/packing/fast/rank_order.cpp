#include "rank_order.hpp"

#include "number_index.hpp"
#include "rank_cuts.hpp"
#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

namespace beadwave::packing {
namespace {

/// An item as it travels: its coordinates, its number, and the first slot of its part; of an absent
/// item -1 minus its slot.
constexpr std::size_t item_numbers = 5;

/// Which rank sorts which slots.
class Sorters {
  public:
    Sorters(std::span<const OrderPart> parts, std::size_t present, std::size_t all,
            std::size_t ranks)
        : parts_(parts), present_(present), all_(all), ranks_(ranks) {}

    std::size_t of_part(const OrderPart& part) const { return of_block(part.begin / block_size); }
    /// A slot behind the present items; the last block of these also has absent ones.
    std::size_t of_absent(std::size_t slot) const {
        return slot < end_of_parts() ? of_part(parts_.back()) : of_block(slot / block_size);
    }
    /// Slots that one rank sorts, in whole blocks, and the number of present items among them,
    /// which get the first ones.
    struct Stretch {
        std::size_t begin, end, present;
        std::size_t at;  ///< of the first slot, in the list of all slots that the rank sorts
    };
    std::vector<Stretch> stretches_of(std::size_t rank) const {
        std::vector<Stretch> all;
        const auto add = [&](std::size_t begin, std::size_t end, std::size_t present) {
            const std::size_t at =
                all.empty() ? 0 : all.back().at + all.back().end - all.back().begin;
            all.push_back({begin, end, present, at});
        };
        for (const OrderPart& part : parts_) {
            if (of_part(part) != rank) continue;
            const bool is_last = part.end == present_;
            add(part.begin, is_last ? end_of_parts() : part.end, part.size());
        }
        for (std::size_t begin = end_of_parts(); begin < all_; begin += block_size) {
            if (of_block(begin / block_size) == rank)
                add(begin, std::min(all_, begin + block_size), 0);
        }
        return all;
    }

  private:
    std::size_t of_block(std::size_t block) const {
        return block * ranks_ / ((all_ + block_size - 1) / block_size);
    }
    /// Of the last block that has a present item.
    std::size_t end_of_parts() const {
        return std::min(all_, (present_ + block_size - 1) / block_size * block_size);
    }

    std::span<const OrderPart> parts_;
    std::size_t present_, all_, ranks_;
};

/// The slots of items by their numbers.
class SlotsOfNumbers {
  public:
    void add(double number, std::size_t slot) {
        numbers_.push_back(static_cast<std::uint32_t>(number));
        slots_.push_back(static_cast<double>(slot));
    }
    /// After the last one.
    void end() { index_.reset(numbers_); }

    /// Those of the items of a list, in its order: `width` numbers each, theirs at `number`.
    std::vector<double> of(const std::vector<double>& list, std::size_t width,
                           std::size_t number) const {
        std::vector<double> slots;
        slots.reserve(list.size() / width);
        for (std::size_t at = number; at < list.size(); at += width)
            slots.push_back(slots_[index_.find(static_cast<std::uint32_t>(list[at]), numbers_)]);
        return slots;
    }

  private:
    std::vector<std::uint32_t> numbers_;
    std::vector<double> slots_;
    NumberIndex index_;
};

/// The items that a rank sorts, in the order that it finds.
class SortedStretches {
  public:
    explicit SortedStretches(std::vector<Sorters::Stretch> stretches)
        : stretches_(std::move(stretches)) {
        std::size_t all = 0;
        for (const Sorters::Stretch& stretch : stretches_) {
            all += stretch.end - stretch.begin;
            next_.push_back(stretch.at);
        }
        items_.resize(all);
    }

    void take(const SortItem& item, double place) {
        const bool is_absent = place < 0.0;
        const auto slot = static_cast<std::size_t>(is_absent ? -1.0 - place : place);
        const auto after = std::ranges::upper_bound(stretches_, slot, {}, &Sorters::Stretch::begin);
        const auto k = static_cast<std::size_t>(after - stretches_.begin()) - 1;
        const Sorters::Stretch& its = stretches_[k];
        items_[is_absent ? its.at + (slot - its.begin) : next_[k]++] = item;
    }
    void sort(double smallest_radius, int threads) {
        for (std::size_t k = 0; k < stretches_.size(); ++k) {
            const Sorters::Stretch& each = stretches_[k];
            if (next_[k] != each.at + each.present)
                throw std::logic_error("ranks disagree about the parts of the order");
            split_into_blocks(std::span(items_).subspan(each.at, each.present), threads);
        }
        std::vector<std::span<SortItem>> blocks;
        for (const Sorters::Stretch& each : stretches_) {
            for (std::size_t begin = each.begin; begin < each.end; begin += block_size)
                blocks.push_back(std::span(items_).subspan(each.at + (begin - each.begin),
                                                           std::min(block_size, each.end - begin)));
        }
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
        for (std::size_t b = 0; b < blocks.size(); ++b)
            sort_block(blocks[b], smallest_radius);
    }
    SlotsOfNumbers slots() const {
        SlotsOfNumbers all;
        for (const Sorters::Stretch& each : stretches_) {
            for (std::size_t slot = each.begin; slot < each.end; ++slot)
                all.add(items_[each.at + (slot - each.begin)].number, slot);
        }
        all.end();
        return all;
    }

  private:
    std::vector<Sorters::Stretch> stretches_;
    std::vector<std::size_t> next_;  // free place of each, for present items
    std::vector<SortItem> items_;
};

/// Calls visit(rank, item, place) for all items: the rank that sorts it, and the place that travels
/// with it.
template <class Visit>
void each_item(std::span<const OrderPart> parts, const std::vector<SortItem>& absent,
               std::size_t first_absent, const Sorters& sorters, Visit visit) {
    for (const OrderPart& part : parts) {
        const std::size_t sorter = sorters.of_part(part);
        for (const SortItem& item : part.own)
            visit(sorter, item, static_cast<double>(part.begin));
    }
    for (std::size_t k = 0; k < absent.size(); ++k) {
        const std::size_t slot = first_absent + k;
        visit(sorters.of_absent(slot), absent[k], -1.0 - static_cast<double>(slot));
    }
}

}  // namespace

std::vector<Placed> order_on_ranks(ranks::Communicator& ranks, std::vector<SortItem> present,
                                   const std::vector<SortItem>& absent, std::size_t particles,
                                   double smallest_radius, int threads) {
    const auto count = static_cast<std::size_t>(ranks.count()),
               own = static_cast<std::size_t>(ranks.rank());
    const std::array<std::uint64_t, 2> counts{present.size(), absent.size()};
    std::size_t all_present = 0, all_absent = 0, absent_before = 0;
    const auto of_ranks = ranks.gather_numbers_to_all<std::uint64_t>(counts);
    for (std::size_t r = 0; r < count; ++r) {
        all_present += of_ranks[r][0];
        if (r == own) absent_before = all_absent;
        all_absent += of_ranks[r][1];
    }
    // A few parts for each rank, so that each sorts about the same number of items.
    const std::vector<OrderPart> parts =
        cut_on_ranks(ranks, present, all_present, all_present / (4 * count), particles, threads);
    const Sorters sorters(parts, all_present, all_present + all_absent, count);
    SortedStretches sorted(sorters.stretches_of(own));
    // What this rank sorts itself travels nowhere.
    ranks::NumberLists out(count), numbers(count);
    const auto send = [&](std::size_t rank, const SortItem& item, double place) {
        numbers[rank].push_back(item.number);
        if (rank == own) return sorted.take(item, place);
        out[rank].insert(out[rank].end(), {item.at[0], item.at[1], item.at[2], item.number, place});
    };
    each_item(parts, absent, all_present + absent_before, sorters, send);
    present = std::vector<SortItem>();
    ranks::NumberLists in = ranks::exchange_lists(ranks, std::move(out));
    for (const std::vector<double>& list : in) {
        for (std::size_t at = 0; at < list.size(); at += item_numbers)
            sorted.take({{list[at], list[at + 1], list[at + 2]}, list[at + 3]}, list[at + 4]);
    }
    sorted.sort(smallest_radius, threads);
    const SlotsOfNumbers found = sorted.slots();
    ranks::NumberLists answers;
    for (const std::vector<double>& list : in)
        answers.push_back(found.of(list, item_numbers, 3));
    in.clear();
    ranks::NumberLists slots = ranks::exchange_lists(ranks, std::move(answers));
    slots[own] = found.of(numbers[own], 1, 0);
    std::vector<Placed> result;
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t k = 0; k < numbers[r].size(); ++k)
            result.push_back({.number = static_cast<std::uint32_t>(numbers[r][k]),
                              .slot = static_cast<std::uint32_t>(slots[r][k])});
    }
    return result;
}

}  // namespace beadwave::packing
