#include "fit/spikes.hpp"

#include "fit/median.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::fit {

Despiked without_spikes(std::span<const double> force, double rows) {
    Despiked clean{{force.begin(), force.end()}, 0};
    constexpr double fewest = 8.0, most = 24.0;
    if (!(rows >= fewest)) return clean;
    const auto side = static_cast<std::size_t>(std::min(rows, most) / 4.0);
    std::vector<double> smooth(force.size()), off;
    for (std::size_t i = 0; i < force.size(); ++i) {
        const std::size_t first = i - std::min(i, side), end = std::min(i + side + 1, force.size());
        std::vector<double> near(force.begin() + static_cast<std::ptrdiff_t>(first),
                                 force.begin() + static_cast<std::ptrdiff_t>(end));
        smooth[i] = upper_median(std::move(near));
        off.push_back(std::abs(force[i] - smooth[i]));
    }
    // The flank of a hump is off its median where the trace ends, and its top by its bend.
    constexpr double deviations = 8.0 * 1.4826, of_peak = 0.15;
    const double limit =
        std::max(deviations * upper_median(off), of_peak * std::abs(std::ranges::max(smooth)));
    for (std::size_t i = side; i + side < force.size(); ++i) {
        if (off[i] <= limit) continue;
        clean.force[i] = smooth[i];
        ++clean.spikes;
    }
    return clean;
}

std::vector<double> bridged(std::span<const double> force, const std::vector<bool>& left_out) {
    std::vector<double> all(force.begin(), force.end());
    const std::size_t n = std::min(left_out.size(), all.size());
    for (std::size_t first = 0; first < n; ++first) {
        if (!left_out[first]) continue;
        std::size_t end = first;
        while (end < n && left_out[end])
            ++end;
        const double before = first > 0 ? all[first - 1] : (end < n ? all[end] : 0.0);
        const double after = end < n ? all[end] : before;
        for (std::size_t i = first; i < end; ++i) {
            all[i] = before + (after - before) * static_cast<double>(i - first + 1) /
                                  static_cast<double>(end - first + 1);
        }
        first = end;
    }
    return all;
}

}  // namespace beadwave::fit
