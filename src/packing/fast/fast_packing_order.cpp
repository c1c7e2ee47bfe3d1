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
        const auto absent =
            std::stable_partition(items.begin(), items.end(), [&](const SortItem& item) {
                return !population_.is_absent(static_cast<std::size_t>(item.number));
            });
        present = present.first(static_cast<std::size_t>(absent - items.begin()));
    }
    split_into_blocks(present, threads_);
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t b = 0; b < blocks(); ++b) {
        const std::size_t begin = b * block_size, end = std::min(particles(), begin + block_size);
        sort_block(std::span(items).subspan(begin, end - begin), smallest_radius_);
    }
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t i = 0; i < items.size(); ++i)
        slot_[static_cast<std::size_t>(items[i].number)] = static_cast<std::uint32_t>(i);
}

std::vector<SortItem> FastPackingEngine::all_items() const {
    constexpr std::size_t numbers = 4;
    static_assert(sizeof(SortItem) == numbers * sizeof(double));
    std::vector<SortItem> items(particles());
    const auto part = [](double x) { return std::isfinite(x) ? x : 0.0; };
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
    for (std::size_t i = share_.begin(); i < share_.end(); ++i) {
        const Vec3 p = triple(place(i) + 4);
        items[share_.slot_of(i)] = {{part(p.x), part(p.y), part(p.z)}, static_cast<double>(id_[i])};
    }
    if (share_.shared()) {
        const std::span all(reinterpret_cast<double*>(items.data()), numbers * items.size());
        share_.ranks().share(all, share_.particle_borders(numbers));
    }
    return items;
}

}  // namespace beadwave::packing
