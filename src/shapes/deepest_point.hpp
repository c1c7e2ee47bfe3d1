// How deep points are in a convex body, and where a plane, a segment or a triangle is the deepest.
//
// The depth of a point t is its distance from the surface, above 0 inside. With the support
// function h and the centre c of the body
//
//     depth(t) = min over unit vectors n of h(n) - n.(t - c),
//
// and n is the outward normal where the surface is next to t. The distance with this sign is a
// concave function of the place [M. C. Delfour, J.-P. Zolesio, Shapes and Geometries, 2011, section
// 7.10]. So a plane has one deepest point: the foot of the point of the body that is farthest
// behind it. That of a triangle is the same if it lies in it, else on an edge beyond which it lies;
// that of an edge where the normal is across the edge, else at an end.
//
// A force along n at t is the derivative of any energy U(depth), because t is where the depth is
// the largest: what touches so keeps its energy. A depth below the smallest radius of curvature of
// the body is the least one for certain (common_normal.hpp).
//
// These take ellipsoids and superellipsoids.
#pragma once

#include "shapes/superellipsoid.hpp"

#include <array>

namespace beadwave::shapes {

struct DeepPoint {
    Vector point{};       ///< [m]
    Vector normal{};      ///< unit, out of the body, where its surface is next to `point`
    double depth = 0.0;   ///< [m]; below 0: outside, by as much
    bool certain = true;  ///< no other direction has less
};

/// Depth of one point. Throws as common_normal() does. `guess`: a normal near the right one, or 0.
template <class Body>
DeepPoint depth_at(const Body&, const Vector& point, const Vector& guess);

/// The deepest point of the plane through `place` with this unit normal of either sign.
template <class Body>
DeepPoint deepest_of_plane(const Body&, const Vector& place, const Vector& normal);

/// The deepest point of the segment between two points that differ. Throws std::runtime_error if no
/// search ends where the surface is across it.
template <class Body>
DeepPoint deepest_of_segment(const Body&, const Vector& from, const Vector& to,
                             const Vector& guess);

using TriangleCorners = std::array<Vector, 3>;

/// Whether a point of the plane of a triangle is in it; `normal`: of the triangle, about which its
/// corners go around.
bool is_in(const TriangleCorners&, const Vector& normal, const Vector& point);

/// The deepest point of a triangle that the deepest point of its plane, `beyond`, is not in.
template <class Body>
DeepPoint deepest_of_edges(const Body&, const TriangleCorners&, const Vector& normal,
                           const DeepPoint& beyond);

}  // namespace beadwave::shapes
