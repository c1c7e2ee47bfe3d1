#include "packing/build/field_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwave::packing {

std::string fault_of(const FieldGrid& grid, const Packing& packing) {
    double cells = 1.0;
    for (const std::int64_t along : grid.cells)
        cells *= static_cast<double>(along);
    if (!(cells <= static_cast<double>(most_field_cells)))
        return fmt::format("the grid has {:g} cells; expected at most {}", cells, most_field_cells);
    const double smallest = packing.radius.smallest();
    if (!(std::isfinite(grid.width) && grid.width >= narrowest_field_kernel * smallest)) {
        return fmt::format(
            "the kernel is {:g} m wide; expected at least {:g} m, a tenth of the smallest radius",
            grid.width, narrowest_field_kernel * smallest);
    }
    const double period[] = {packing.box.upper.x - packing.box.lower.x,
                             packing.box.upper.y - packing.box.lower.y,
                             packing.box.upper.z - packing.box.lower.z};
    for (std::size_t a = 0; a < 3; ++a) {
        if (!packing.box.periodic[a] || grid.width <= period[a]) continue;
        return fmt::format(
            "the kernel is {:g} m wide; expected at most {:g} m, the period of the box along {}",
            grid.width, period[a], "xyz"[a]);
    }
    return {};
}

}  // namespace beadwave::packing
