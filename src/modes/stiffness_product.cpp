#include "modes/stiffness_product.hpp"

#include <cmath>

namespace beadwave::modes {

using linear::Link;
using packing::Vec3;

StiffnessProduct::StiffnessProduct(const linear::PackingOperator& packing, int threads)
    : threads_(threads),
      dimension_(packing.dimension),
      rotates_(packing.rotates),
      bodies_(packing.body.size()),
      first_(bodies_ + 1) {
    for (const double mass : packing.mass)
        scale_.push_back(1.0 / std::sqrt(mass));
    for (const Link& link : packing.links) {
        if (link.first != Link::ground) ++first_[link.first + 1];
        if (link.second != Link::ground) ++first_[link.second + 1];
    }
    for (std::size_t i = 0; i < bodies_; ++i)
        first_[i + 1] += first_[i];
    contacts_.resize(first_.back());
    if (rotates_) rotations_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    const auto add = [&](std::uint32_t body, std::uint32_t other, const Vec3& normal,
                         const Link& link, double radius, double other_radius) {
        if (body == Link::ground) return;
        const std::size_t at = next[body]++;
        contacts_[at] = {other, normal, link.normal_stiffness, link.across};
        if (rotates_) {
            rotations_[at] = {link.lever,
                              link.sliding_stiffness,
                              link.rolling_stiffness,
                              link.twisting_stiffness,
                              1.0 / radius,
                              1.0 / other_radius};
        }
    };
    for (const Link& link : packing.links) {
        add(link.first, link.second, link.normal, link, link.radius_1, link.radius_2);
        add(link.second, link.first, -link.normal, link, link.radius_2, link.radius_1);
    }
}

/// Minus the contacts' force and torque on a body; see packing_operator.hpp.
template <int dimension, bool rotates>
void StiffnessProduct::gather(std::size_t body, const double* x, double* force) const {
    constexpr int turns = rotates ? (dimension == 2 ? 1 : 3) : 0, c = dimension + turns;
    const auto displacement = [&](std::size_t i) {
        const double *q = x + i * c, *s = scale_.data() + i * c;
        return Vec3{q[0] * s[0], q[1] * s[1], dimension == 3 ? q[2] * s[2] : 0.0};
    };
    const auto rotation = [&](std::size_t i) {
        const double *q = x + i * c + dimension, *s = scale_.data() + i * c + dimension;
        if constexpr (turns == 3) return Vec3{q[0] * s[0], q[1] * s[1], q[2] * s[2]};
        return Vec3{0.0, 0.0, turns == 1 ? q[0] * s[0] : 0.0};
    };
    const Vec3 own = displacement(body), own_turn = rotation(body);
    Vec3 sum{}, torque{};
    for (std::size_t at = first_[body]; at < first_[body + 1]; ++at) {
        const Contact& k = contacts_[at];
        const bool paired = k.other != Link::ground;
        const Vec3 du = (paired ? displacement(k.other) : Vec3{}) - own;
        const double along = dot(du, k.normal);
        const Vec3 side = du - along * k.normal;
        sum += (-k.along * along) * k.normal - k.across * side;
        if constexpr (rotates) {
            const Rotation& r = rotations_[at];
            const Vec3 other_turn = paired ? rotation(k.other) : Vec3{};
            const Vec3 slip = r.lever * cross(own_turn + other_turn, k.normal) - side;
            sum += r.sliding * slip;
            torque += (r.sliding * r.lever) * cross(k.normal, slip);
            const Vec3 turn = r.inverse_radius * own_turn - r.other_inverse_radius * other_turn;
            const Vec3 twist = dot(turn, k.normal) * k.normal;
            torque += r.inverse_radius * (r.rolling * (turn - twist) + r.twisting * twist);
        }
    }
    force[0] = sum.x;
    force[1] = sum.y;
    if constexpr (dimension == 3) force[2] = sum.z;
    if constexpr (turns == 1) force[dimension] = torque.z;
    if constexpr (turns == 3) {
        force[3] = torque.x;
        force[4] = torque.y;
        force[5] = torque.z;
    }
}

template <int dimension, bool rotates>
void StiffnessProduct::apply_all(const double* x, double factor, double shift, const double* before,
                                 double* out) const {
    constexpr int c = dimension + (rotates ? (dimension == 2 ? 1 : 3) : 0);
    const auto bodies = static_cast<std::int64_t>(bodies_);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t i = 0; i < bodies; ++i) {
        double force[c];
        const auto body = static_cast<std::size_t>(i);
        gather<dimension, rotates>(body, x, force);
        for (int k = 0; k < c; ++k) {
            const std::size_t at = body * c + static_cast<std::size_t>(k);
            const double value = factor * (scale_[at] * force[k] - shift * x[at]);
            out[at] = before == nullptr ? value : value - before[at];
        }
    }
}

void StiffnessProduct::apply(const double* x, double factor, double shift, const double* before,
                             double* out) const {
    if (dimension_ == 2) {
        rotates_ ? apply_all<2, true>(x, factor, shift, before, out)
                 : apply_all<2, false>(x, factor, shift, before, out);
    } else {
        rotates_ ? apply_all<3, true>(x, factor, shift, before, out)
                 : apply_all<3, false>(x, factor, shift, before, out);
    }
}

}  // namespace beadwave::modes
