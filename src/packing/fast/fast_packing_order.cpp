// The order of the particles in the fast engine.

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace beadwave::packing {

/// Sorts particles into compact blocks, and within each block along a Morton curve.
void FastPackingEngine::sort_slots() {
    std::vector<SortItem> items = all_items();
    std::span<SortItem> present(items);
    if (population_.changes()) {
        // Behind the others, so that their blocks sleep.
        const auto absent = std::ranges::stable_partition(
            items, [&](const SortItem& item) { return !population_.is_absent(item.id); });
        present = present.first(items.size() - absent.size());
    }
    split_into_blocks(present);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        const std::size_t begin = b * block_size, end = std::min(particles(), begin + block_size);
        sort_block(std::span(items).subspan(begin, end - begin), smallest_radius_);
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        slot_[items[i].id] = static_cast<std::uint32_t>(i);
}

std::vector<SortItem> FastPackingEngine::all_items() const {
    std::vector<double> numbers(4 * particles());
    double* to = numbers.data() + 4 * share_.begin_slot();
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        put(to, triple(place(i) + 4));
        to[3] = static_cast<double>(id_[i]);
        to += 4;
    }
    if (share_.shared()) share_.ranks().share(numbers, share_.particle_borders(4));
    std::vector<SortItem> items;
    items.reserve(particles());
    const auto part = [](double x) { return std::isfinite(x) ? x : 0.0; };
    for (const double* from = numbers.data(); items.size() < particles(); from += 4)
        items.push_back(
            {{part(from[0]), part(from[1]), part(from[2])}, static_cast<std::uint32_t>(from[3])});
    return items;
}

}  // namespace beadwave::packing
