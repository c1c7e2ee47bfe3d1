#include "packing/build/region.hpp"

#include "packing/neighbours/image_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwave::packing {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double component(const Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

void set(Vec3& v, int axis, double value) {
    (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value;
}

struct Range {
    double lower = -unbounded, upper = unbounded;
    bool bounded() const { return std::isfinite(lower) && std::isfinite(upper); }
};

/// The free space between the plane walls across an axis.
Range between_walls(const Packing& packing, std::span<const Vec3> moved, int axis) {
    constexpr double rounding = 1e-12;
    Range range;
    for (std::size_t w = 0; w < packing.walls.size(); ++w) {
        const auto* const plane = std::get_if<Plane>(&packing.walls[w].shape);
        if (plane == nullptr) continue;
        const double along = component(plane->normal, axis);
        const double at = component(plane->point + moved[w], axis);
        if (along > 1.0 - rounding) range.lower = std::max(range.lower, at);
        if (along < rounding - 1.0) range.upper = std::min(range.upper, at);
    }
    return range;
}

Range range_of(const Packing& packing, std::span<const Vec3> moved, const Edges& box, int axis) {
    if (packing.box.periodic[static_cast<std::size_t>(axis)]) {
        const double lower = component(packing.box.lower, axis);
        if (packing.box.strain) return {lower, lower + box.of[static_cast<std::size_t>(axis)]};
        return {lower, component(packing.box.upper, axis)};
    }
    return between_walls(packing, moved, axis);
}

}  // namespace

RegionBounds region_bounds(const Packing& packing, std::span<const Vec3> moved, const Edges& box) {
    if (packing.region) return {packing.region->lower, packing.region->upper, false};
    RegionBounds bounds{{}, {}, true};
    for (int axis = 0; axis < packing.dimension; ++axis) {
        const Range range = range_of(packing, moved, box, axis);
        set(bounds.lower, axis, range.lower);
        set(bounds.upper, axis, range.upper);
    }
    return bounds;
}

char unbounded_axis(const Packing& packing) {
    if (packing.region) return 0;
    const std::vector<Vec3> at_start(packing.walls.size());
    for (int axis = 0; axis < packing.dimension; ++axis) {
        if (!range_of(packing, at_start, Edges::of_box(packing.box), axis).bounded())
            return "xyz"[axis];
    }
    return 0;
}

bool is_in(const Vec3& lower, const Vec3& upper, const Packing& packing, const Edges& box,
           const Vec3& centre) {
    const auto edge = components(upper - lower);
    const auto dimension = static_cast<std::size_t>(packing.dimension);
    // In a box that has become shorter than the region there are several along an axis.
    const auto range = [&](std::size_t a, double x, double length) -> ImageRange {
        if (a >= dimension) return {0.0, 0.0, 0.0};
        const double down = std::floor(x / length);
        return {down, 0.0, std::floor((edge[a] - (x - down * length)) / length)};
    };
    bool inside = false;
    visit_images(packing.box, box, centre - lower, range, [&](const Vec3& image) {
        const auto at = components(image);
        bool has = true;
        for (std::size_t a = 0; a < dimension; ++a)
            has = has && at[a] >= 0.0 && at[a] < edge[a];
        inside = inside || has;
    });
    return inside;
}

bool is_in(const RegionBounds& region, const Packing& packing, const Vec3& centre) {
    // A box that strains has no region.
    return region.whole ||
           is_in(region.lower, region.upper, packing, Edges::of_box(packing.box), centre);
}

std::vector<char> particles_in(const RegionBounds& region, const Packing& packing,
                               std::span<const Vec3> displacement) {
    std::vector<char> inside(displacement.size(), true);
    for (std::size_t i = 0; i < inside.size(); ++i)
        inside[i] = is_in(region, packing, packing.position[i] + displacement[i]);
    return inside;
}

}  // namespace beadwave::packing
