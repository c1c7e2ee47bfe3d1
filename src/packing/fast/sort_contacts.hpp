// The order of contacts, on any number of ranks the same.
#pragma once

#include "packing/engine_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

namespace beadwave::packing {

/// Sorts contacts by first particle, then second; those with images of one particle by their
/// places in the list, one for each contact. Without memory for a second copy.
inline void sort_contacts(std::vector<ContactState>& contacts, std::span<const double> places) {
    std::vector<std::uint32_t> order(contacts.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t k) {
        return std::tuple(contacts[k].first, contacts[k].second, places[k]);
    });
    for (std::uint32_t k = 0; k < order.size(); ++k) {  // cycle by cycle
        const ContactState first = contacts[k];
        std::uint32_t at = k;
        while (order[at] != k) {
            const std::uint32_t next = order[at];
            contacts[at] = contacts[next];
            order[at] = at;
            at = next;
        }
        contacts[at] = first;
        order[at] = at;
    }
}

}  // namespace beadwave::packing
