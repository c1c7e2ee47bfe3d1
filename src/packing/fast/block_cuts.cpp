#include "block_cuts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace beadwave::packing {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Sums of the numbers before each block, and of all.
Numbers sums_before(const Numbers& of_blocks) {
    Numbers sums(of_blocks.size() + 1, 0);
    std::partial_sum(of_blocks.begin(), of_blocks.end(), sums.begin() + 1);
    return sums;
}

std::int64_t largest_weight(const BlockWork& work, std::size_t ranks) {
    const std::int64_t all = std::reduce(work.weight.begin(), work.weight.end()),
                       count = static_cast<std::int64_t>(ranks);
    return std::max(std::ranges::max(work.weight), (most_weight * all + count - 1) / count);
}

/// Parts of blocks next to each other, whose costs and weights have limits that no single block
/// exceeds.
class Parts {
  public:
    Parts(const BlockWork& work, std::int64_t weight)
        : costs_(sums_before(work.cost)), weights_(sums_before(work.weight)), weight_(weight) {}

    std::size_t blocks() const { return costs_.size() - 1; }
    std::int64_t cost() const { return costs_.back(); }

    /// The end of the longest part that begins here, and the begin of the longest that ends here.
    std::size_t end(std::size_t begin, std::int64_t cost) const {
        const auto longest = [&](const Numbers& sums, std::int64_t most) {
            return std::ranges::upper_bound(sums, sums[begin] + most) - sums.begin() - 1;
        };
        return static_cast<std::size_t>(
            std::min(longest(costs_, cost), longest(weights_, weight_)));
    }
    std::size_t begin(std::size_t end, std::int64_t cost) const {
        const auto longest = [&](const Numbers& sums, std::int64_t most) {
            return std::ranges::lower_bound(sums, sums[end] - most) - sums.begin();
        };
        return static_cast<std::size_t>(
            std::max(longest(costs_, cost), longest(weights_, weight_)));
    }
    bool are_enough(std::size_t parts, std::int64_t cost) const {
        std::size_t b = 0;
        for (std::size_t r = 0; r < parts && b < blocks(); ++r)
            b = end(b, cost);
        return b == blocks();
    }
    /// The block in [first, last] with this sum before it, or the nearest one.
    std::size_t nearest(double sum, std::size_t first, std::size_t last) const {
        const auto at = [&](std::size_t b) { return static_cast<double>(costs_[b]); };
        std::size_t b = first;
        while (b < last && at(b) < sum)
            ++b;
        return b > first && sum - at(b - 1) < at(b) - sum ? b - 1 : b;
    }

  private:
    Numbers costs_, weights_;  // sums before each block
    std::int64_t weight_;
};

/// The most that a block may have taken, over the mean of all per weight.
double most_of(double weight, double rate_before) {
    return largest_growth * std::max(1.0, rate_before) * weight;
}

/// What blocks took per weight [s], none of them more than so much.
double mean_time(const std::vector<double>& before, const MeasuredBlocks& measured, double weight) {
    double mean = std::numeric_limits<double>::infinity();
    // Each time the longest ones count less. A stopped process needs few rounds.
    for (int round = 0; round < 8; ++round) {
        double sum = 0.0;
        for (std::size_t b = 0; b < before.size(); ++b) {
            const auto its = static_cast<double>(measured.weight[b]);
            if (its > 0.0) sum += std::min(measured.seconds[b], most_of(its, before[b]) * mean);
        }
        mean = sum / weight;
    }
    return mean;
}

}  // namespace

std::vector<double> renewed_rates(std::vector<double> before, const MeasuredBlocks& measured) {
    const double trust = measured.steps / (measured.steps + steps_to_trust);
    double weight = 0.0;
    for (const std::int64_t its : measured.weight)
        weight += static_cast<double>(its);
    const double mean = weight > 0.0 ? mean_time(before, measured, weight) : 0.0;
    if (!(mean > 0.0)) return before;
    std::vector<double> rates = std::move(before);
    for (std::size_t b = 0; b < rates.size(); ++b) {
        const auto its = static_cast<double>(measured.weight[b]);
        if (its == 0.0) continue;
        const double rate = std::min(measured.seconds[b] / mean, most_of(its, rates[b])) / its;
        rates[b] = std::max(least_rate, rates[b] + trust * (rate - rates[b]));
    }
    return rates;
}

std::int64_t largest_part(std::span<const std::int64_t> of_blocks, const Cuts& cuts) {
    std::int64_t largest = 0;
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
        const auto part = of_blocks.subspan(cuts[r], cuts[r + 1] - cuts[r]);
        largest = std::max(largest, std::reduce(part.begin(), part.end()));
    }
    return largest;
}

Cuts even_cuts(const BlockWork& work, std::size_t ranks) {
    const Parts parts(work, largest_weight(work, ranks));
    std::int64_t cost = std::ranges::max(work.cost), enough = std::max(cost, parts.cost());
    while (cost < enough) {
        const std::int64_t middle = cost + (enough - cost) / 2;
        if (parts.are_enough(ranks, middle))
            enough = middle;
        else
            cost = middle + 1;
    }
    // A rank may not begin before these blocks: the ranks from it on would have too much.
    Cuts first(ranks + 1, parts.blocks());
    for (std::size_t r = ranks; r-- > 0;)
        first[r] = parts.begin(first[r + 1], cost);
    Cuts cuts{0};
    for (std::size_t r = 1; r < ranks; ++r) {
        const double wanted =
            static_cast<double>(parts.cost()) * static_cast<double>(r) / static_cast<double>(ranks);
        const std::size_t last =
            std::min(parts.end(cuts.back(), cost), parts.blocks() - (ranks - r));
        cuts.push_back(parts.nearest(wanted, std::max(first[r], cuts.back() + 1), last));
    }
    cuts.push_back(parts.blocks());
    return cuts;
}

Cuts cuts_that_pay(const BlockWork& work, const Cuts& present) {
    const std::size_t ranks = present.size() - 1;
    Cuts next = even_cuts(work, ranks);
    const auto cost = [&](const Cuts& cuts) {
        return static_cast<double>(largest_part(work.cost, cuts));
    };
    const bool may_stay = largest_part(work.weight, present) <= largest_weight(work, ranks),
               pays = cost(next) < (1.0 - least_gain_of_cuts) * cost(present);
    return may_stay && !pays ? present : next;
}

}  // namespace beadwave::packing
