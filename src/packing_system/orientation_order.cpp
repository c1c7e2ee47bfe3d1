#include "packing_system/orientation_order.hpp"

#include "packing/symmetric_tensor.hpp"
#include "shapes/clump.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

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

/// The mean of u u over the axes; 0: no body has one.
packing::SymmetricTensor mean_of_axes(const MeasuredState& state) {
    std::vector<Vec3> axes;
    for (std::size_t i = 0; i < state.orientation.size(); ++i) {
        if (!state.inside[i]) continue;
        if (const std::optional<Vec3> u = axis_of(state, i)) axes.push_back(*u);
    }
    packing::SymmetricTensor sum;
    for (const Vec3& u : axes)
        sum.add(u, 1.0, 0.0);
    return axes.empty() ? sum : sum / static_cast<double>(axes.size());
}

}  // namespace

Tensor orientation_fabric(const MeasuredState& state) {
    const packing::SymmetricTensor m = mean_of_axes(state);
    return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
}

double nematic_order(const MeasuredState& state) {
    const packing::SymmetricTensor mean = mean_of_axes(state);
    return mean.trace() > 0.0 ? 1.5 * mean.largest_eigenvalue() - 0.5 : 0.0;
}

}  // namespace beadwave::observers
