#include "modes/modes.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::modes {

DensityOfStates density_of_states(std::span<const double> frequencies) {
    DensityOfStates result;
    if (frequencies.empty()) return result;
    const auto count = static_cast<double>(frequencies.size());
    const auto intervals = static_cast<std::size_t>(std::clamp(2.0 * std::sqrt(count), 8.0, 120.0));
    const double highest = *std::ranges::max_element(frequencies);
    const double width = (highest > 0.0 ? highest : 1.0) / static_cast<double>(intervals);
    std::vector<std::size_t> inside(intervals);
    for (const double f : frequencies)
        ++inside[std::min(static_cast<std::size_t>(f / width), intervals - 1)];
    for (std::size_t k = 0; k <= intervals; ++k)
        result.edge.push_back(static_cast<double>(k) * width);
    for (const std::size_t n : inside)
        result.density.push_back(static_cast<double>(n) / (count * width));
    return result;
}

}  // namespace beadwave::modes
