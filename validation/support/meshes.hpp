// Surfaces of triangles that several tests use.
#pragma once

#include "packing/walls/wall.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <vector>

namespace beadwave::validation {

using packing::Corners;
using packing::Vec3;

/// Two triangles between four corners, given around the square.
inline void add_square(std::vector<Corners>& all, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    all.push_back({a, b, c});
    all.push_back({a, c, d});
}

/// n by n squares between `first` and `second`, which start at `corner`.
inline std::vector<Corners> plate(Vec3 corner, Vec3 first, Vec3 second, int n) {
    std::vector<Corners> all;
    const auto at = [&](int i, int k) {
        return corner + (static_cast<double>(i) / n) * first +
               (static_cast<double>(k) / n) * second;
    };
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k)
            add_square(all, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
    }
    return all;
}

inline std::vector<Corners> box_of_triangles(Vec3 lower, Vec3 upper) {
    std::vector<Corners> all;
    const auto at = [&](bool x, bool y, bool z) {
        return Vec3{x ? upper.x : lower.x, y ? upper.y : lower.y, z ? upper.z : lower.z};
    };
    for (const bool side : {false, true}) {
        add_square(all, at(side, 0, 0), at(side, 1, 0), at(side, 1, 1), at(side, 0, 1));
        add_square(all, at(0, side, 0), at(1, side, 0), at(1, side, 1), at(0, side, 1));
        add_square(all, at(0, 0, side), at(1, 0, side), at(1, 1, side), at(0, 1, side));
    }
    return all;
}

/// A cylinder about the axis through the origin with `around` flat sides that touch it, each of
/// `along` squares; turned by `phase` sides.
inline std::vector<Corners> tube(Vec3 axis, double radius, double length, int around, int along = 1,
                                 double phase = 0.0) {
    const Vec3 any = std::abs(axis.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    Vec3 one = cross(axis, any);
    one = (1.0 / std::sqrt(dot(one, one))) * one;
    const Vec3 two = cross(axis, one);
    const double corner = radius / std::cos(std::numbers::pi / around);
    const auto at = [&](int k, int l) {
        const double angle = 2.0 * std::numbers::pi * (k % around + phase) / around;
        return (length * l / along - 0.5 * length) * axis + (corner * std::cos(angle)) * one +
               (corner * std::sin(angle)) * two;
    };
    std::vector<Corners> all;
    for (int k = 0; k < around; ++k) {
        for (int l = 0; l < along; ++l)
            add_square(all, at(k, l), at(k + 1, l), at(k + 1, l + 1), at(k, l + 1));
    }
    return all;
}

inline packing::Mesh mesh_of(const std::vector<Corners>& triangles, Vec3 point = {},
                             double feature_angle = packing::TriangleSurface::usual_feature_angle) {
    return {.point = point,
            .surface = std::make_shared<const packing::TriangleSurface>(triangles, feature_angle)};
}

}  // namespace beadwave::validation
