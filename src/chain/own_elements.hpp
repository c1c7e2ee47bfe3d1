// The elements of the own beads of a process, with their numbers in the lists of the whole chain.
#pragma once

#include "beadwave/chain/chain.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::chain {

/// Whether an index is that of an own bead of the process, or of the contact before it.
inline bool owns(const Chain& chain, std::size_t i) {
    return i >= chain.own_begin() && i < chain.own_end();
}

/// The own runs of a list whose elements have the places `place(element)`, by bead or contact.
template <class Element, class Place>
std::vector<ElementRun> own_runs(const Chain& chain, const std::vector<Element>& elements,
                                 const ElementNumbers& numbers, const Place& place) {
    if (!chain.partition) return {{.index = 0, .number = 0, .count = elements.size()}};
    std::vector<ElementRun> own;
    for (ElementRun run : numbers.runs) {
        // Places rise within a run.
        const auto at = [&](std::size_t k) { return place(elements[run.index + k]); };
        std::size_t skipped = 0;
        while (skipped < run.count && at(skipped) < chain.own_begin())
            ++skipped;
        while (run.count > skipped && at(run.count - 1) >= chain.own_end())
            --run.count;
        if (run.count == skipped) continue;
        own.push_back({run.index + skipped, run.number + skipped, run.count - skipped});
    }
    return own;
}

inline std::vector<ElementRun> own_resonators(const Chain& chain) {
    return own_runs(chain, chain.elements.resonators, chain.elements.resonator_numbers,
                    [](const Resonator& each) { return each.bead; });
}
/// A bond belongs to the bead to its right.
inline std::vector<ElementRun> own_bonds(const Chain& chain) {
    return own_runs(chain, chain.elements.bonds, chain.elements.bond_numbers,
                    [](const Bond& each) { return each.contact; });
}

// Numbers of elements of the whole chain.
inline std::size_t all_resonators(const Chain& chain) {
    return chain.partition ? chain.elements.resonator_numbers.total
                           : chain.elements.resonators.size();
}
inline std::size_t all_bonds(const Chain& chain) {
    return chain.partition ? chain.elements.bond_numbers.total : chain.elements.bonds.size();
}

}  // namespace beadwave::chain
