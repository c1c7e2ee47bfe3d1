#include "beadwave/chain/chain.hpp"

#include <algorithm>
#include <numeric>

namespace beadwave::chain {
namespace {

/// Calls visit(bead, position) for every bead in order, with the same bits whoever asks.
template <class Visit>
void walk(const Chain& chain, Visit visit) {
    double position = 0.0;
    for (std::size_t i = 0; i < chain.beads(); ++i) {
        if (i > 0) position = position + chain.radius[i - 1] + chain.radius[i] + chain.gap[i];
        visit(i, position);
    }
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
    std::vector<double> positions(chosen.size());
    auto next = order.begin();
    walk(*this, [&](std::size_t bead, double position) {
        for (; next != order.end() && static_cast<std::size_t>(chosen[*next]) == bead; ++next)
            positions[*next] = position;
    });
    return positions;
}

}  // namespace beadwave::chain
