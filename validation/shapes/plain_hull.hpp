// The overlap of two convex bodies from below and above, by an algorithm of its own: the convex
// hull of points of their Minkowski difference grows until the origin is known to be that deep
// [expanding polytopes: G. van den Bergen, Game Developers Conference, 2001].
//
// The body A - B holds the origin if A and B overlap, and its distance from the surface is the
// overlap: the least of h(n) over all directions n. The hull of some points is inside A - B, so the
// distance from the origin to its nearest face is never more than the overlap. h(n) of any n is
// never less. No derivative, no curvature and no start are needed, and no direction is missed.
#pragma once

#include "shapes/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace beadwave::validation {

struct OverlapBounds {
    double below = -std::numeric_limits<double>::infinity();  ///< [m]; above 0: they overlap
    double above = std::numeric_limits<double>::infinity();   ///< [m]; below 0: they are apart
    int points = 0;                                           ///< of the hull
};

/// Support: the point of A - B that is farthest along a direction, `Vector support(Vector)` [m].
template <class Support>
class DifferenceHull {
  public:
    explicit DifferenceHull(Support support) : support_(std::move(support)) {}

    /// Until the bounds differ by `width` [m], the bodies are apart, or the hull has so many
    /// points.
    OverlapBounds grown(double width, int most_points) {
        OverlapBounds bounds;
        if (!begin(bounds)) return bounds;
        while (bounds.points < most_points) {
            const std::size_t nearest = nearest_face();
            const shapes::Vector n = face_[nearest].normal;
            bounds.below = face_[nearest].distance;
            const shapes::Vector p = support_(n);
            bounds.above = std::min(bounds.above, dot(n, p));
            if (bounds.above < 0.0 || bounds.above - bounds.below <= width) break;
            // No farther than its face but for rounding: the hull cannot grow there.
            if (!(dot(n, p) > face_[nearest].distance * (1.0 + 1e-14))) break;
            if (!add(p)) break;
            ++bounds.points;
        }
        return bounds;
    }

  private:
    struct Face {
        std::array<std::size_t, 3> corner;
        shapes::Vector normal;
        double distance;
    };

    /// A tetrahedron of points; false: the bodies are apart along one of its directions.
    bool begin(OverlapBounds& bounds) {
        const double t = 1.0 / std::sqrt(3.0);
        for (const shapes::Vector& n : {shapes::Vector{t, t, t}, shapes::Vector{t, -t, -t},
                                        shapes::Vector{-t, t, -t}, shapes::Vector{-t, -t, t}}) {
            point_.push_back(support_(n));
            bounds.above = std::min(bounds.above, dot(n, point_.back()));
        }
        bounds.points = 4;
        if (bounds.above < 0.0) return false;
        middle_ = 0.25 * (point_[0] + point_[1] + point_[2] + point_[3]);
        for (const std::array<std::size_t, 3>& corners :
             {std::array<std::size_t, 3>{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}})
            add_face(corners);
        return true;
    }

    /// Outwards: away from the middle of the first points, which stays inside.
    void add_face(std::array<std::size_t, 3> c) {
        shapes::Vector n = cross(point_[c[1]] - point_[c[0]], point_[c[2]] - point_[c[0]]);
        n = n * (1.0 / shapes::length(n));
        if (dot(n, middle_ - point_[c[0]]) > 0.0) {
            std::swap(c[1], c[2]);
            n = -n;
        }
        face_.push_back({c, n, dot(n, point_[c[0]])});
    }

    std::size_t nearest_face() const {
        return static_cast<std::size_t>(std::ranges::min_element(face_, {}, &Face::distance) -
                                        face_.begin());
    }

    /// The faces that `p` is beyond make room for those between their outline and it. False: it is
    /// beyond none or all of them, where faces are as thin as rounding, and nothing has changed.
    bool add(const shapes::Vector& p) {
        const auto before = [&](const Face& face) { return dot(face.normal, p) > face.distance; };
        const auto seen = static_cast<std::size_t>(std::ranges::count_if(face_, before));
        if (seen == 0 || seen == face_.size()) return false;
        std::vector<std::array<std::size_t, 2>> edges;
        std::size_t kept = 0;
        for (const Face& face : face_) {
            if (!before(face)) {
                face_[kept++] = face;
                continue;
            }
            for (std::size_t k = 0; k < 3; ++k)
                edges.push_back({face.corner[k], face.corner[(k + 1) % 3]});
        }
        face_.resize(kept);
        point_.push_back(p);
        for (const std::array<std::size_t, 2>& edge : edges) {
            const std::array<std::size_t, 2> back{edge[1], edge[0]};
            if (std::ranges::find(edges, back) == edges.end())
                add_face({edge[0], edge[1], point_.size() - 1});
        }
        return true;
    }

    Support support_;
    shapes::Vector middle_{};
    std::vector<shapes::Vector> point_;
    std::vector<Face> face_;
};

}  // namespace beadwave::validation
