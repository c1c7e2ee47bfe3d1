// A tree of boxes over triangles: the closest point of many triangles from a few of them.
#pragma once

#include "packing/walls/surface_point.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace beadwave::packing {

/// A triangle that is ready for many searches.
struct Triangle {
    std::array<Vec3, 3> corner;  ///< [m]
    Vec3 normal;                 ///< of unit length

    /// The two edges must not be parallel.
    explicit Triangle(const std::array<Vec3, 3>& corners);
};

/// The closest point of triangles to a place.
struct NearestPoint {
    Vec3 point{};   ///< [m]
    Vec3 normal{};  ///< from the point to the place, of unit length; at the point itself that of
                    ///< the triangle
    double distance = std::numeric_limits<double>::infinity();  ///< [m]
    std::uint32_t triangle = 0;
    bool on_edge = false;  ///< on an edge or a corner of the triangle
    bool found() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// The nearest point of one triangle; the number of the triangle is not set.
NearestPoint nearest_point(const Triangle& triangle, const Vec3& from);

struct Bounds3 {
    Vec3 lower{}, upper{};  ///< [m]

    void include(const Vec3& p);
    double squared_distance(const Vec3& from) const;  ///< of a place; 0 inside [m^2]
};

class TriangleTree {
  public:
    /// Over triangles with these numbers; `all` must outlive the tree.
    TriangleTree(std::span<const Triangle> all, std::vector<std::uint32_t> numbers);

    /// The closest point that is nearer than `within` [m]; of two equally near, that of the
    /// triangle with the lower number. `tests`, if given, counts the triangles looked at.
    NearestPoint nearest(std::span<const Triangle> all, const Vec3& from, double within,
                         std::size_t* tests = nullptr) const;

    /// Calls visit(number of a triangle) for all triangles whose boxes are closer than `within`
    /// [m].
    template <class Function>
    void each_near(const Vec3& from, double within, Function visit) const {
        each([&](const Bounds3& box) { return box.squared_distance(from) <= within * within; },
             visit);
    }

    /// Calls visit(number of a triangle) for triangles in the leaves whose boxes, and all boxes
    /// around them, are accepted.
    template <class Accept, class Function>
    void each(Accept accept, Function visit) const {
        std::uint32_t at = 0;
        while (at < node_.size()) {
            const Node& node = node_[at];
            if (!accept(node.box)) {
                at = node.next;
                continue;
            }
            for (std::uint32_t k = node.begin; k < node.end; ++k)
                visit(number_[k]);
            ++at;
        }
    }

    const Bounds3& bounds() const { return node_.front().box; }

  private:
    /// In the order of a walk through the tree. The first child follows its parent.
    struct Node {
        Bounds3 box;
        std::uint32_t next;        ///< after all below this one
        std::uint32_t begin, end;  ///< of a leaf's triangles; equal: not a leaf
    };
    void build(std::span<const Triangle> all, std::uint32_t begin, std::uint32_t end);

    std::vector<Node> node_;
    std::vector<std::uint32_t> number_;
};

}  // namespace beadwave::packing
