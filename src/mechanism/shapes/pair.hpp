// Where two shapes can touch. Each contact point is a place of the pair with an overlap of its own
// that changes smoothly as the bodies move: a convex pair has one; a corner of a polygon on a
// straight side or in a socket is one, so that a side that lands flat does not make one point jump.
//
// The conditions are those of CorralReview section 4, Eqs (4.1) to (4.5): at the potential contact
// points the distance vector is collinear with both normals. On curves Newton's method finds them;
// straight sides, arcs and corners have closed forms.
#pragma once

#include "mechanism/plane.hpp"
#include "mechanism/shapes/shape.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace beadwave::mechanism::shapes {

/// The frame of a body: its centre, and its angle since the start.
struct Pose {
    Vector centre;
    double cosine, sine;

    explicit Pose(const BodyState& body)
        : centre(body.centre), cosine(std::cos(body.angle)), sine(std::sin(body.angle)) {}
    Vector turned(const Vector& v) const {
        return {cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1]};
    }
    Vector turned_back(const Vector& v) const {
        return {cosine * v[0] + sine * v[1], cosine * v[1] - sine * v[0]};
    }
    Vector at(const Vector& offset) const { return centre + turned(offset); }
    Vector from(const Vector& place) const { return turned_back(place - centre); }
};

/// The two potential contact points: overlap = dot(second point - first point, normal).
struct Nearest {
    double overlap;               ///< [m]; negative: the gap
    Vector normal;                ///< from the second shape into the first
    Vector first;                 ///< point of the first shape that lies deepest [m]
    std::array<double, 2> radii;  ///< of curvature: above 0 convex, 0 a sharp end, infinite
                                  ///< straight, below 0 hollow [m]
};

/// One place where a pair of shapes can touch, in the frames of their bodies.
class Place {
  public:
    virtual ~Place() = default;
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    virtual Nearest nearest(const Pose& first, const Pose& second) const = 0;

    std::string name{};      ///< "corner 2", of the first or second shape; empty if it is the
    std::size_t owner = 0;   ///< only place; owner: 0 or 1
    double rounding = 0.0;   ///< sum of the radii of cores: the radius of a sharp end [m]
    double smallest = 0.0;   ///< the smaller of the largest extents of the two shapes [m]
    double depth = 0.0;      ///< overlaps up to this are those of the nearer sides [m]
    bool elongated = false;  ///< the overlap depends on more than the distance of two points

    /// The radii for the stiffness. A sharp end counts as round as what it touches.
    std::array<double, 2> stiffness_radii(const std::array<double, 2>& radii) const;
};

/// All places of the pair; offsets are relative to the centres of the bodies at the start. Throws
/// ArgumentError if the shapes cannot touch each other in this way (check()).
std::vector<std::shared_ptr<const Place>> places_of(const Shape& first, const Shape& second);

/// The centre of the smallest box around the shape, and half its diagonal [m].
struct Extent {
    Vector centre;
    double reach;
};
Extent extent_of(const Shape&);

}  // namespace beadwave::mechanism::shapes
