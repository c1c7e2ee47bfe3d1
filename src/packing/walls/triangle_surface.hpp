// A surface of triangles that spheres touch.
//
// Triangles that meet at an edge with a bend below the feature angle form one patch, and so on from
// edge to edge. A patch is touched like a curved wall: at one point, its closest. So a sphere that
// rolls over the edges within a plane feels the plane, a fine mesh of a cylinder feels like the
// cylinder, and contact memory belongs to the patch. At edges between patches:
//
// - concave: both patches are touched at their own points, which makes two contacts;
// - convex: both have the same closest point on the edge, which counts once, for the patch with
//   the lower number. If one patch goes on from the edge towards the sphere, its own contact
//   covers the edge.
//
// This depends on places only, not on how triangles share corners or on their orientation. A
// surface is thin: spheres touch it from both sides and at its rims.
#pragma once

#include "packing/walls/triangle_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace beadwave::packing {

using Corners = std::array<Vec3, 3>;  ///< of a triangle [m]

class TriangleSurface {
  public:
    static constexpr double usual_feature_angle = 0.5235987755982988;  ///< 30 degrees [rad]

    /// What is wrong with these triangles, with the number of the first that is; empty: nothing.
    /// They must have finite corners up to 1e30 m, an area, and not be there twice.
    static std::string fault(const std::vector<Corners>& triangles);

    /// `triangles` must be without fault. feature_angle [rad], from 0 to pi.
    TriangleSurface(const std::vector<Corners>& triangles, double feature_angle);
    TriangleSurface(const TriangleSurface&) = delete;
    TriangleSurface& operator=(const TriangleSurface&) = delete;

    const std::vector<Triangle>& triangles() const { return triangle_; }
    std::size_t patches() const { return patch_tree_.size(); }
    std::uint32_t patch(std::size_t triangle) const { return patch_of_[triangle]; }

    /// The closest point of all patches.
    NearestPoint nearest(const Vec3& from, double within, std::size_t* tests = nullptr) const {
        return tree_.nearest(triangle_, from, within, tests);
    }

    /// The patches nearer than `within` [m], in order.
    std::vector<std::uint32_t> patches_near(const Vec3& from, double within) const;

    /// Where a sphere around `from` touches the patch if its radius is at least the distance; not
    /// found: farther than `within` [m], or the contact of another patch counts for this one.
    NearestPoint contact(std::uint32_t patch, const Vec3& from, double within,
                         std::size_t* tests = nullptr) const;

    /// Calls visit(number of a triangle) for those of the patch in the leaves whose boxes are
    /// accepted, as TriangleTree::each().
    template <class Accept, class Visit>
    void each_of_patch(std::uint32_t patch, Accept accept, Visit visit) const {
        patch_tree_[patch].each(accept, visit);
    }

    /// Whether the straight way between two places goes through a triangle.
    bool is_between(const Vec3& from, const Vec3& to) const;

    /// Whether a closest point of a patch is on its rim: on an edge with no second triangle of the
    /// patch.
    bool is_on_rim(const NearestPoint& at) const;

    /// The largest distance of a corner from the origin [m].
    double largest_distance() const { return largest_distance_; }

  private:
    /// Also of a point beside an edge, nearer than rounding tells.
    bool is_on_edge(const NearestPoint& at) const;
    bool counts_elsewhere(std::uint32_t patch, const NearestPoint& own, const Vec3& from) const;

    std::vector<Triangle> triangle_;
    std::vector<std::uint32_t> patch_of_;
    /// Bits of each triangle: one per edge on the rim of its patch, then one per such corner.
    std::vector<std::uint8_t> rim_of_;
    TriangleTree tree_;
    std::vector<TriangleTree> patch_tree_;
    double same_place_ = 0.0;  // two places nearer than this are one [m]
    double largest_distance_ = 0.0;
};

}  // namespace beadwave::packing
