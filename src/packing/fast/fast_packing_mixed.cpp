// The fast engine in mixed precision (mixed/mixed_pairs.hpp).

#include "fast_packing_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace beadwave::packing {

BodyLines FastPackingEngine::body_lines() {
    return {lines(now_), n_, list_.ghosts};
}

void FastPackingEngine::adopt_mixed_pairs() {
    if (mixed_) mixed_->adopt(body_lines(), entries_, memory_, table_);
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
        const double radii = place(entries_.first[e])[3] + place(entries_.second[e])[3];
        if (!touches(e, now.overlap) || std::abs(now.overlap) < 0x1p-50 * radii)
            return std::array{0.0, 0.0};
        const Vec3 u = triple(place(entries_.second[e])) - triple(place(entries_.first[e]));
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
    update_images();
}

void FastPackingEngine::update_images() {
    constexpr std::size_t bytes = line * sizeof(double);
    for (std::size_t g = 0; g < list_.ghosts.size(); ++g) {
        if (list_.ghosts[g].wall >= 0) continue;
        const std::size_t from = line * list_.ghosts[g].of, to = line * (n_ + g);
        put(place_[now_].data() + to, triple(place_[now_].data() + from));
        std::memcpy(half_[now_].data() + to, half_[now_].data() + from, bytes);
        if (predicted_needed_)
            std::memcpy(predicted_[now_].data() + to, predicted_[now_].data() + from, bytes);
    }
}

}  // namespace beadwave::packing
