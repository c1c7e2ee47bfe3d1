// The fast engine in mixed precision (mixed/mixed_pairs.hpp).

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace beadwave::packing {

void FastPackingEngine::adopt_mixed_pairs() {
    if (mixed_) mixed_->adopt(bodies_, entries_, memory_, table_);
}

void FastPackingEngine::return_springs() const {
    if (mixed_)
        memory_.show_springs(entries_.count(), [&](std::size_t e) { return mixed_->spring(e); });
}

/// A float has an error of up to 2^-24 of the displacement. Contacts that just touch do not count:
/// their overlaps are rounding in double precision, too.
double FastPackingEngine::present_rounding() const {
    const auto [moved, overlaps] = sums_.of_pairs<2>(home_.size(), [&](std::size_t p) {
        const std::uint32_t e = home_[p];
        const PairGeometry<double> now = geometry_of(e);
        const double radii = bodies_.radius(entries_.first[e]) + bodies_.radius(entries_.second[e]);
        if (!touches(e, now.overlap) || std::abs(now.overlap) < 0x1p-50 * radii)
            return std::array{0.0, 0.0};
        const Vec3 u =
            bodies_.displacement(entries_.second[e]) - bodies_.displacement(entries_.first[e]);
        return std::array{std::sqrt(dot(u, u)), std::abs(now.overlap)};
    });
    constexpr double unit = 0x1p-24;
    return overlaps > 0.0 ? unit * moved / overlaps : 0.0;
}

double FastPackingEngine::overlap_rounding() const {
    return mixed_ ? std::max(mixed_->rounding(), present_rounding()) : 0.0;
}

laws::SliderMemory<double> FastPackingEngine::spring_of(std::size_t e) const {
    return mixed_ ? mixed_->spring(e) : memory_.sliding(e);
}

void FastPackingEngine::renew_doubles() {
    if (share_.shared() && !mixed_->is_stale()) exchange_halo();
    bodies_.update_images();
}

}  // namespace beadwave::packing
