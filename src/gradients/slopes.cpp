#include "gradients/slopes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace beadwave::gradients {

std::optional<std::vector<double>> slopes_of(double own, const std::vector<double>& here,
                                             const NumbersAt& numbers_at) {
    constexpr std::array<double, 3> sixth{45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    constexpr std::array<double, 2> fourth{8.0 / 12.0, -1.0 / 12.0};
    constexpr double smooth = 1e-6;  // a kink or jump nearby makes the two orders differ
    // A power of two, so that the places are exact.
    const double h = own == 0.0 ? 0x1p-10 : std::exp2(std::floor(std::log2(std::fabs(own))) - 9.0);
    std::vector<double> slope(here.size(), 0.0), rough(here.size(), 0.0);
    for (std::size_t j = 0; j < sixth.size(); ++j) {
        const double step = static_cast<double>(j + 1) * h;
        const auto above = numbers_at(own + step);
        const auto below = numbers_at(own - step);
        if (!above || !below) return std::nullopt;
        bool any = false;
        for (std::size_t k = 0; k < here.size(); ++k) {
            const double rise = (*above)[k] - (*below)[k];
            if (!(rise != 0.0) || !std::isfinite(rise)) continue;
            any = true;
            slope[k] += sixth[j] * rise / h;
            if (j < fourth.size()) rough[k] += fourth[j] * rise / h;
        }
        if (j == 0 && !any) break;  // the numbers do not depend on it
    }
    for (std::size_t k = 0; k < here.size(); ++k) {
        if (slope[k] == 0.0) continue;
        const double size = std::fabs(here[k] / (own == 0.0 ? h : own));
        if (std::fabs(slope[k] - rough[k]) > smooth * std::max(std::fabs(slope[k]), size))
            return std::nullopt;
    }
    return slope;
}

}  // namespace beadwave::gradients
