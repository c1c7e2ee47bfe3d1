#include "rank_cuts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace beadwave::packing {
namespace {

/// All ranks count their items in so many intervals before they look into one of these.
constexpr std::size_t bins = 64;
using Counts = std::array<std::int64_t, bins>;

/// Whole numbers in the order of doubles; the two zeros are one.
std::uint64_t ordered(double x) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const auto bits = std::bit_cast<std::uint64_t>(x == 0.0 ? 0.0 : x);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// The search for the cut of a part: as nth_element finds it, by a coordinate and then by number.
class CutSearch {
  public:
    CutSearch(const OrderPart& part, const ItemBounds& bounds, std::size_t numbers)
        : part_(part),
          axis_(bounds.widest()),
          middle_(middle_of(part.size())),
          numbers_(numbers),
          open_(part.own) {
        look_into(ordered(bounds.lower[axis_]), ordered(bounds.upper[axis_]));
    }

    bool found() const { return found_; }
    void count(Counts& counts) const {
        for (const SortItem& item : open_)
            ++counts[bin_of(item)];
    }
    /// Takes the counts of all ranks.
    void narrow(const Counts& counts) {
        std::size_t bin = 0;
        for (; before_ < middle_; ++bin) {
            const auto next = before_ + static_cast<std::size_t>(counts[bin]);
            if (next > middle_) break;
            before_ = next;
        }
        found_ = before_ == middle_;
        const auto inside = std::partition(
            open_.begin(), open_.end(), [&](const SortItem& item) { return bin_of(item) < bin; });
        own_before_ += static_cast<std::size_t>(inside - open_.begin());
        if (found_) return;
        const auto behind = std::partition(
            inside, open_.end(), [&](const SortItem& item) { return bin_of(item) == bin; });
        open_ = {inside, behind};
        const std::uint64_t low = low_ + (std::uint64_t{bin} << shift_);
        if (shift_ > 0) {
            look_into(low, low + std::min(high_ - low, (std::uint64_t{1} << shift_) - 1));
        } else {  // they all have this coordinate
            by_number_ = true;
            look_into(0, numbers_ - 1);
        }
    }
    /// The parts on both sides.
    std::array<OrderPart, 2> sides() const {
        return {OrderPart{part_.begin, part_.begin + middle_, part_.own.first(own_before_)},
                OrderPart{part_.begin + middle_, part_.end, part_.own.subspan(own_before_)}};
    }

  private:
    void look_into(std::uint64_t low, std::uint64_t high) {
        low_ = low;
        high_ = high;
        constexpr int bits = std::bit_width(bins - 1);
        shift_ = std::max(0, static_cast<int>(std::bit_width(high - low)) - bits);
    }
    std::size_t bin_of(const SortItem& item) const {
        const std::uint64_t key =
            by_number_ ? static_cast<std::uint64_t>(item.number) : ordered(item.at[axis_]);
        return static_cast<std::size_t>((key - low_) >> shift_);
    }

    OrderPart part_;
    std::size_t axis_, middle_, numbers_;
    std::span<SortItem> open_;          // those that may be on either side
    std::uint64_t low_ = 0, high_ = 0;  // what the keys of these are
    int shift_ = 0;                     // bits within an interval
    bool by_number_ = false, found_ = false;
    std::size_t before_ = 0, own_before_ = 0;  // items of all ranks, and of this one
};

std::vector<ItemBounds> bounds_on_ranks(ranks::Communicator& ranks,
                                        std::span<const OrderPart> parts, int threads) {
    constexpr double none = -std::numeric_limits<double>::infinity();
    std::vector<double> most(6 * parts.size(), none);
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].own.empty()) continue;
        const ItemBounds own(parts[k].own);
        for (std::size_t a = 0; a < 3; ++a) {
            most[6 * k + a] = -own.lower[a];
            most[6 * k + 3 + a] = own.upper[a];
        }
    }
    ranks.largest(most);
    std::vector<ItemBounds> bounds(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
        for (std::size_t a = 0; a < 3; ++a) {
            bounds[k].lower[a] = -most[6 * k + a];
            bounds[k].upper[a] = most[6 * k + 3 + a];
        }
    }
    return bounds;
}

void find_cuts(ranks::Communicator& ranks, std::vector<CutSearch>& searches, int threads) {
    std::vector<CutSearch*> open;
    for (CutSearch& search : searches)
        open.push_back(&search);
    std::vector<Counts> counts;
    while (!open.empty()) {
        counts.assign(open.size(), Counts{});
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
        for (std::size_t k = 0; k < open.size(); ++k)
            open[k]->count(counts[k]);
        ranks.sum({counts.front().data(), bins * counts.size()});
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
        for (std::size_t k = 0; k < open.size(); ++k)
            open[k]->narrow(counts[k]);
        std::erase_if(open, [](const CutSearch* search) { return search->found(); });
    }
}

}  // namespace

std::vector<OrderPart> cut_on_ranks(ranks::Communicator& ranks, std::span<SortItem> own,
                                    std::size_t all, std::size_t most, std::size_t numbers,
                                    int threads) {
    std::vector<OrderPart> parts;
    if (all > 0) parts.push_back({0, all, own});
    const auto is_large = [&](const OrderPart& part) {
        return part.size() > std::max(most, block_size);
    };
    while (true) {
        std::vector<OrderPart> large;
        std::ranges::copy_if(parts, std::back_inserter(large), is_large);
        if (large.empty()) return parts;
        const std::vector<ItemBounds> bounds = bounds_on_ranks(ranks, large, threads);
        std::vector<CutSearch> searches;
        for (std::size_t k = 0; k < large.size(); ++k)
            searches.emplace_back(large[k], bounds[k], numbers);
        find_cuts(ranks, searches, threads);
        std::vector<OrderPart> cut;
        auto search = searches.begin();
        for (const OrderPart& part : parts) {
            if (is_large(part)) {
                std::ranges::copy((search++)->sides(), std::back_inserter(cut));
            } else {
                cut.push_back(part);
            }
        }
        parts = std::move(cut);
    }
}

}  // namespace beadwave::packing
