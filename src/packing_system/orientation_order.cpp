#include "packing_system/orientation_order.hpp"

#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace beadwave::observers {
namespace {

using packing::Vec3;

struct Axis {
    double length;   ///< up to a factor
    Vec3 direction;  ///< in the axes of the body
};

/// The principal axes of a particle and their lengths. Those of a clump are the semi-axes of the
/// ellipsoid with its moments.
std::array<Axis, 3> principal_axes(const packing::Packing& packing, std::size_t particle) {
    const std::array<Vec3, 3> unit{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    if (!packing.is_clump(particle)) {
        const Vec3& a = packing.semi_axes[particle];
        return {{{a.x, unit[0]}, {a.y, unit[1]}, {a.z, unit[2]}}};
    }
    const shapes::Clump& clump = *packing.clumps[particle];
    const Vec3& inertia = clump.inertia;
    const double half = 0.5 * (inertia.x + inertia.y + inertia.z);
    const auto axis = [&](double moment, const Vec3& direction) {
        return Axis{std::sqrt(std::max(0.0, half - moment)), to_space(clump.axes, direction)};
    };
    return {{axis(inertia.x, unit[0]), axis(inertia.y, unit[1]), axis(inertia.z, unit[2])}};
}

/// The axis in space; none: all three are equal, to rounding.
std::optional<Vec3> axis_of(const MeasuredState& state, std::size_t particle) {
    std::array<Axis, 3> axes = principal_axes(state.packing, particle);
    std::ranges::sort(axes, {}, &Axis::length);
    const auto& [least, middle, most] = axes;
    constexpr double rounding = 1e-9;
    if (!(most.length > (1.0 + rounding) * least.length)) return std::nullopt;
    const bool is_long = most.length * least.length >= middle.length * middle.length;
    return to_space(state.orientation[particle], is_long ? most.direction : least.direction);
}

/// The largest eigenvalue of a symmetric matrix [O. K. Smith, Communications of the ACM 4 (1961)
/// 168].
double largest_eigenvalue(const Tensor& a) {
    const double mean = (a[0] + a[4] + a[8]) / 3.0;
    const double xx = a[0] - mean, yy = a[4] - mean, zz = a[8] - mean;
    const double xy = a[1], xz = a[2], yz = a[5];
    const double size =
        std::sqrt((xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0);
    if (!(size > 0.0)) return mean;
    const double determinant =
        xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const double cosine = std::clamp(0.5 * determinant / (size * size * size), -1.0, 1.0);
    return mean + 2.0 * size * std::cos(std::acos(cosine) / 3.0);
}

}  // namespace

Tensor orientation_fabric(const MeasuredState& state) {
    Tensor sum{};
    double counted = 0.0;
    for (std::size_t i = 0; i < state.orientation.size(); ++i) {
        if (!state.inside[i]) continue;
        const std::optional<Vec3> u = axis_of(state, i);
        if (!u) continue;
        const double component[] = {u->x, u->y, u->z};
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 3; ++column)
                sum[3 * row + column] += component[row] * component[column];
        }
        counted += 1.0;
    }
    if (counted > 0.0) {
        for (double& number : sum)
            number /= counted;
    }
    return sum;
}

double nematic_order(const MeasuredState& state) {
    const Tensor mean = orientation_fabric(state);
    if (mean[0] + mean[4] + mean[8] == 0.0) return 0.0;
    return 1.5 * largest_eigenvalue(mean) - 0.5;
}

}  // namespace beadwave::observers
