#include "packing/walls/triangle_surface.hpp"

#include "packing/vector_length.hpp"
#include "packing/walls/flat_triangle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace beadwave::packing {
namespace {

using Coordinates = std::array<double, 3>;

/// A place as the key of a map; -0 and 0 are one.
Coordinates key_of(const Vec3& v) {
    return {v.x + 0.0, v.y + 0.0, v.z + 0.0};
}

using Edge = std::array<Coordinates, 2>;

Edge edge_of(const Corners& c, std::size_t k) {
    Edge edge{key_of(c[k]), key_of(c[(k + 1) % 3])};
    std::ranges::sort(edge);
    return edge;
}

/// The direction in a triangle away from its edge k, of unit length.
Vec3 away_from_edge(const Triangle& t, std::size_t k) {
    const Vec3 across = cross(t.normal, t.corner[(k + 1) % 3] - t.corner[k]);
    return (1.0 / length_of(across)) * across;
}

std::vector<Triangle> made(const std::vector<Corners>& triangles) {
    return {triangles.begin(), triangles.end()};
}

/// The patch of each triangle; patches are numbered by their first triangles.
std::vector<std::uint32_t> patches_of(const std::vector<Triangle>& triangles, double angle) {
    std::vector<std::uint32_t> parent(triangles.size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t t) {
        while (parent[t] != t)
            t = parent[t] = parent[parent[t]];
        return t;
    };
    struct Side {
        std::uint32_t triangle;
        std::size_t edge;
    };
    std::map<Edge, std::vector<Side>> edges;
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k)
            edges[edge_of(triangles[t].corner, k)].push_back({t, k});
    }
    // Rounding of the corners in the file, where flat surfaces were cut.
    const double least_bend = std::max(angle, 1e-5);
    for (const auto& [edge, sides] : edges) {
        if (sides.size() != 2) continue;  // a rim, or where several surfaces meet
        const Vec3 one = away_from_edge(triangles[sides[0].triangle], sides[0].edge);
        const Vec3 two = away_from_edge(triangles[sides[1].triangle], sides[1].edge);
        const double bend = std::atan2(length_of(cross(one, two)), -dot(one, two));
        if (!(bend < least_bend)) continue;
        const std::uint32_t a = root(sides[0].triangle), b = root(sides[1].triangle);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::uint32_t> patch(triangles.size());
    std::uint32_t count = 0;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        patch[t] = root(t) == t ? count++ : patch[root(t)];
    return patch;
}

/// TriangleSurface::rim_of_
std::vector<std::uint8_t> rims_of(const std::vector<Triangle>& triangles,
                                  const std::vector<std::uint32_t>& patch) {
    std::map<std::pair<std::uint32_t, Edge>, int> edges;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k)
            ++edges[{patch[t], edge_of(triangles[t].corner, k)}];
    }
    std::set<std::pair<std::uint32_t, Coordinates>> corners;
    for (const auto& [edge, count] : edges) {
        if (count != 1) continue;
        for (const Coordinates& corner : edge.second)
            corners.emplace(edge.first, corner);
    }
    std::vector<std::uint8_t> rims(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto& corner = triangles[t].corner;
            if (edges[{patch[t], edge_of(corner, k)}] == 1)
                rims[t] = static_cast<std::uint8_t>(rims[t] | 1U << k);
            if (corners.contains({patch[t], key_of(corner[k])}))
                rims[t] = static_cast<std::uint8_t>(rims[t] | 8U << k);
        }
    }
    return rims;
}

std::vector<std::uint32_t> all_numbers(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

/// Whether the straight way from a to b goes through the triangle.
bool passes(const Triangle& t, const Vec3& a, const Vec3& b) {
    const double above = dot(t.normal, a - t.corner[0]), below = dot(t.normal, b - t.corner[0]);
    if (!((above < 0.0) != (below < 0.0))) return false;
    const Vec3 through = a + (above / (above - below)) * (b - a);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& corner = t.corner[k];
        const Vec3 edge = t.corner[(k + 1) % 3] - corner;
        if (dot(cross(edge, through - corner), t.normal) < 0.0) return false;
    }
    return true;
}

}  // namespace

std::string TriangleSurface::fault(const std::vector<Corners>& triangles) {
    constexpr double largest = 1e30;
    if (triangles.empty()) return "has no triangles";
    std::map<std::array<Coordinates, 3>, std::size_t> seen;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Corners& c = triangles[t];
        std::array<Coordinates, 3> key;
        for (std::size_t k = 0; k < 3; ++k) {
            key[k] = key_of(c[k]);
            for (const double x : key[k]) {
                if (!std::isfinite(x))
                    return fmt::format("triangle {} has a corner that is not finite", t);
                if (std::abs(x) > largest)
                    return fmt::format(
                        "triangle {} has a coordinate of {:g} m; expected up to {:g}", t, x,
                        largest);
            }
        }
        if (is_flat(c))
            return fmt::format("triangle {} has no area: its corners lie on one line or point", t);
        std::ranges::sort(key);
        if (const auto [other, is_new] = seen.emplace(key, t); !is_new)
            return fmt::format("triangle {} has the corners of triangle {}; expected each once", t,
                               other->second);
    }
    return {};
}

TriangleSurface::TriangleSurface(const std::vector<Corners>& triangles, double feature_angle)
    : triangle_(made(triangles)),
      patch_of_(patches_of(triangle_, feature_angle)),
      rim_of_(rims_of(triangle_, patch_of_)),
      tree_(triangle_, all_numbers(triangle_.size())) {
    std::vector<std::vector<std::uint32_t>> members(1 + *std::ranges::max_element(patch_of_));
    for (std::uint32_t t = 0; t < triangle_.size(); ++t) {
        members[patch_of_[t]].push_back(t);
        for (const Vec3& corner : triangle_[t].corner)
            largest_distance_ = std::max(largest_distance_, length_of(corner));
    }
    for (std::vector<std::uint32_t>& own : members)
        patch_tree_.emplace_back(triangle_, std::move(own));
    // Files have corners in single precision.
    const Bounds3& all = tree_.bounds();
    same_place_ = 2e-6 * length_of(all.upper - all.lower);
}

std::vector<std::uint32_t> TriangleSurface::patches_near(const Vec3& from, double within) const {
    std::set<std::uint32_t> near;
    tree_.each_near(from, within, [&](std::uint32_t t) {
        if (near.contains(patch_of_[t])) return;
        if (nearest_point(triangle_[t], from).distance < within) near.insert(patch_of_[t]);
    });
    return {near.begin(), near.end()};
}

NearestPoint TriangleSurface::contact(std::uint32_t patch, const Vec3& from, double within,
                                      std::size_t* tests) const {
    const NearestPoint own = patch_tree_[patch].nearest(triangle_, from, within, tests);
    if (!own.found() || patches() == 1 || !is_on_edge(own)) return own;
    return counts_elsewhere(patch, own, from) ? NearestPoint{} : own;
}

bool TriangleSurface::is_on_edge(const NearestPoint& at) const {
    if (at.on_edge) return true;
    const Triangle& t = triangle_[at.triangle];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 edge = t.corner[(k + 1) % 3] - t.corner[k];
        if (length_of(cross(edge, at.point - t.corner[k])) <= same_place_ * length_of(edge))
            return true;
    }
    return false;
}

bool TriangleSurface::is_on_rim(const NearestPoint& at) const {
    const unsigned rim = rim_of_[at.triangle];
    if (rim == 0 || !at.on_edge) return false;
    const Triangle& t = triangle_[at.triangle];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 from = at.point - t.corner[k], edge = t.corner[(k + 1) % 3] - t.corner[k];
        if ((rim >> k & 1U) != 0 && length_of(cross(edge, from)) <= same_place_ * length_of(edge))
            return true;
        if ((rim >> (3 + k) & 1U) != 0 && length_of(from) <= same_place_) return true;
    }
    return false;
}

bool TriangleSurface::counts_elsewhere(std::uint32_t patch, const NearestPoint& own,
                                       const Vec3& from) const {
    bool elsewhere = false;
    tree_.each_near(own.point, same_place_, [&](std::uint32_t t) {
        const std::uint32_t other = patch_of_[t];
        if (elsewhere || other == patch) return;
        if (nearest_point(triangle_[t], own.point).distance > same_place_) return;
        const NearestPoint here = nearest_point(triangle_[t], from);
        if (length_of(here.point - own.point) > same_place_) {
            elsewhere = here.distance < own.distance;  // the surface goes on towards the sphere
            return;
        }
        // Both patches have the same point, unless the other one is nearer somewhere else.
        const NearestPoint of_other =
            patch_tree_[other].nearest(triangle_, from, 2.0 * own.distance + same_place_);
        elsewhere = length_of(of_other.point - own.point) <= same_place_ &&
                    (!is_on_edge(of_other) || other < patch);
    });
    return elsewhere;
}

bool TriangleSurface::is_between(const Vec3& from, const Vec3& to) const {
    const Vec3 middle = 0.5 * (from + to);
    bool found = false;
    tree_.each_near(middle, 0.5 * length_of(to - from),
                    [&](std::uint32_t t) { found = found || passes(triangle_[t], from, to); });
    return found;
}

}  // namespace beadwave::packing
