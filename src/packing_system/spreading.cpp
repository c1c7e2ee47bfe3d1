#include "packing_system/spreading.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::observers {
namespace {

/// Gauss and Legendre's points and weights on the line from 0 to 1.
constexpr std::array<double, 4> gauss_point{0.0694318442029737, 0.3300094782075719,
                                            0.6699905217924281, 0.9305681557970263},
    gauss_weight{0.1739274225687269, 0.3260725774312731, 0.3260725774312731, 0.1739274225687269};

}  // namespace

GridCells::GridCells(const packing::FieldGrid& of, const packing::Packing& packing,
                     const packing::RegionBounds& bounds, const packing::Edges& box)
    : grid(of),
      region(bounds),
      dimension(static_cast<std::size_t>(packing.dimension)),
      edges(box),
      periodic(packing.box.periodic),
      lower(packing::components(bounds.lower)) {
    const auto edge = packing::components(bounds.edges());
    for (std::size_t a = 0; a < 3; ++a)
        size[a] = a < dimension ? edge[a] / static_cast<double>(grid.cells[a]) : 1.0;
}

Spreading::Spreading(const GridCells& cells)
    : cells_(cells), kernel_(kernel_of(cells.grid)), reach_(kernel_.reach * cells.grid.width) {}

std::array<std::int32_t, 2> Spreading::images(std::size_t axis, double from, double way) const {
    const double period = cells_.edges.of[axis];
    const double lower = cells_.lower[axis] - reach_ - std::max(from, from + way);
    const double upper = cells_.lower[axis] +
                         static_cast<double>(cells_.grid.cells[axis]) * cells_.size[axis] + reach_ -
                         std::min(from, from + way);
    return {static_cast<std::int32_t>(std::ceil(lower / period)),
            static_cast<std::int32_t>(std::floor(upper / period))};
}

bool Spreading::collect(const std::array<double, 3>& from, const std::array<double, 3>& way) {
    std::size_t count = 1;
    double longest = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
        first_[a] = last_[a] = 0;
        if (a < cells_.dimension) {
            const double low = std::min(from[a], from[a] + way[a]) - reach_ - cells_.lower[a];
            const double high = std::max(from[a], from[a] + way[a]) + reach_ - cells_.lower[a];
            const auto cells = static_cast<double>(cells_.grid.cells[a]);
            const double begin = std::floor(low / cells_.size[a]);
            const double end = std::floor(high / cells_.size[a]);
            if (!(begin < cells && end >= 0.0)) return false;
            first_[a] = static_cast<std::int64_t>(std::max(begin, 0.0));
            last_[a] = static_cast<std::int64_t>(std::min(end, cells - 1.0));
        }
        longest = std::max(longest, std::abs(way[a]));
        weight_[a].resize(static_cast<std::size_t>(last_[a] - first_[a]) + 1);
        count *= weight_[a].size();
    }
    share_.assign(count, 0.0);
    const auto add = [&](double along, double part) {
        for (std::size_t a = 0; a < 3; ++a)
            weigh(a, from[a] + along * way[a]);
        std::size_t k = 0;
        for (const double x : weight_[0]) {
            for (const double y : weight_[1]) {
                const double xy = part * x * y;
                for (const double z : weight_[2])
                    share_[k++] += xy * z;
            }
        }
    };
    if (longest == 0.0) {
        add(0.0, 1.0);
        return true;
    }
    // Within a width the kernel is nearly a polynomial of low degree.
    const auto parts = static_cast<int>(std::ceil(longest / cells_.grid.width));
    for (int p = 0; p < parts; ++p) {
        for (std::size_t g = 0; g < gauss_point.size(); ++g)
            add((p + gauss_point[g]) / parts, gauss_weight[g] / parts);
    }
    return true;
}

void Spreading::weigh(std::size_t axis, double place) {
    std::vector<double>& weight = weight_[axis];
    if (axis >= cells_.dimension) {
        weight[0] = 1.0;
        return;
    }
    const double width = 1.0 / cells_.grid.width;
    const auto below = [&](std::size_t edge) {
        const double at =
            cells_.lower[axis] +
            (static_cast<double>(first_[axis]) + static_cast<double>(edge)) * cells_.size[axis];
        return kernel_.share_below((at - place) * width);
    };
    double before = below(0);
    for (std::size_t k = 0; k < weight.size(); ++k) {
        const double next = below(k + 1);
        weight[k] = next - before;
        before = next;
    }
}

}  // namespace beadwave::observers
