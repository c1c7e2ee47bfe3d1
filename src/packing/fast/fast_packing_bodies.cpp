// Which particles the fast engine holds. With a new order, its own move to the ranks that have them
// from then on; with a new list, those of other ranks come that may be neighbours of its own.

#include "fast_packing_engine.hpp"
#include "near_ranks.hpp"
#include "ranks/exchange_lists.hpp"

#include <algorithm>
#include <utility>

namespace beadwave::packing {

std::vector<std::vector<std::uint32_t>> FastPackingEngine::wanted_by_ranks() const {
    std::vector<Vec3> position;
    std::vector<double> radius;
    const std::vector<char> away = population_.absent();
    std::vector<char> absent;
    for (std::size_t i = 0; i < bodies_.held(); ++i) {
        position.push_back(bodies_.reference(i));
        radius.push_back(bodies_.radius(i));
        if (!away.empty()) absent.push_back(away[bodies_.id(i)]);
    }
    std::vector<std::vector<std::uint32_t>> wanted = near_other_ranks({.position = position,
                                                                       .radius = radius,
                                                                       .absent = absent,
                                                                       .box = packing_.box,
                                                                       .edges = box_.at_list(),
                                                                       .skin = skin_},
                                                                      share_);
    // A particle's bonds need its partner, also where they have no pair.
    const std::vector<Bond>& bonds = packing_.elements.bonds;
    for (std::size_t k = 0; k < bonds.size(); ++k) {
        if (!elements_.bonds().states()[k].intact()) continue;
        const std::uint32_t first = bodies_.slot(bonds[k].first),
                            second = bodies_.slot(bonds[k].second);
        for (const auto& [here, there] : {std::pair(first, second), std::pair(second, first)}) {
            if (share_.has_slot(here) && !share_.has_slot(there))
                wanted[share_.owner(there)].push_back(share_.body_of(here));
        }
    }
    for (std::vector<std::uint32_t>& bodies : wanted)
        sort_out(bodies);
    return wanted;
}

}  // namespace beadwave::packing
