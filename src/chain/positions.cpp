#include "beadwave/chain/chain.hpp"
#include "chain/prefix_sums.hpp"
#include "ranks/communicator.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace beadwave::chain {
namespace {

/// Calls visit(bead, position) for every bead on this process, in order.
template <class Function>
void walk(const Chain& chain, const Function& visit) {
    const std::size_t n = chain.beads();
    const auto to_next = [&](std::size_t i) {
        return i + 1 < n ? chain.radius[i] + chain.gap[i + 1] + chain.radius[i + 1] : 0.0;
    };
    PrefixSums(chain, 0.0, to_next).walk([&](std::size_t bead, double position) {
        if (bead < n) visit(bead, position);
    });
}

}  // namespace

std::vector<double> Chain::positions() const {
    std::vector<double> all(beads());
    walk(*this, [&](std::size_t bead, double position) { all[bead] = position; });
    return all;
}

std::vector<double> Chain::positions(std::span<const std::int64_t> chosen) const {
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return chosen[k]; });
    std::vector<double> positions(chosen.size(), -std::numeric_limits<double>::infinity());
    auto next = order.begin();
    walk(*this, [&](std::size_t bead, double position) {
        const auto number = static_cast<std::int64_t>(first() + bead);
        while (next != order.end() && chosen[*next] < number)
            ++next;
        for (; next != order.end() && chosen[*next] == number; ++next)
            positions[*next] = position;
    });
    if (partition) partition->ranks->largest(positions);
    return positions;
}

}  // namespace beadwave::chain
