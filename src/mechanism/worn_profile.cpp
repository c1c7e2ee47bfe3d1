#include "mechanism/worn_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace beadwave::mechanism {

WornProfile::WornProfile(std::vector<double> depth) : depth_(std::move(depth)) {
    if (!empty()) least_ = *std::ranges::min_element(depth_);
}

WornProfile::Touch WornProfile::nearest(const Vector& displacement) const {
    constexpr double turn = 2.0 * std::numbers::pi;
    const double e = length(displacement);
    const double phi = std::atan2(displacement[1], displacement[0]);
    const auto count = static_cast<std::ptrdiff_t>(depth_.size());
    const double part = turn / static_cast<double>(count);
    const auto depth_at = [&](std::ptrdiff_t middle) {
        return depth_[static_cast<std::size_t>(((middle % count) + count) % count)];
    };
    Touch best{.angle = phi, .depth = 0.0, .reach = -std::numeric_limits<double>::infinity()};
    // The largest reach between the middles of the parts k and k + 1.
    const auto look = [&](std::ptrdiff_t k) {
        const double from = (static_cast<double>(k) + 0.5) * part, before = depth_at(k);
        const double slope = (depth_at(k + 1) - before) / part;
        // Where e sin(theta - phi) = -slope, or the end of the stretch that is nearest to it.
        const double stationary = phi - std::asin(std::clamp(slope / e, -1.0, 1.0));
        const double theta = std::clamp(stationary, from, from + part);
        const double depth = before + slope * (theta - from);
        const double reach = e * std::cos(theta - phi) - depth;
        if (reach > best.reach) best = {theta, depth, reach};
    };
    // Away from phi until the least depth there would not do any more.
    const auto at_phi = static_cast<std::ptrdiff_t>(std::floor(phi / part - 0.5));
    look(at_phi);
    for (std::ptrdiff_t k = 1; k <= count / 2; ++k) {
        const double away = std::min((static_cast<double>(k) - 1.0) * part, 0.5 * turn);
        if (e * std::cos(away) - least_ <= best.reach) break;
        look(at_phi + k);
        look(at_phi - k);
    }
    return best;
}

}  // namespace beadwave::mechanism
