// Curved walls: a straight line that is turned about an axis. Cylinder, disc, ring and cone are
// such surfaces. They are thin: particles touch them from both sides and at their rims.
#pragma once

#include "packing/walls/surface_point.hpp"

#include <array>
#include <limits>

namespace beadwave::packing {

/// The line starts at the distance radius_1 from the axis, beside `point`, and ends at the distance
/// radius_2, `length` further along the axis.
struct Revolved {
    static constexpr double endless = std::numeric_limits<double>::infinity();

    Vec3 point{};                       ///< on the axis at the start [m]
    Vec3 axis{.x = 0, .y = 0, .z = 1};  ///< of unit length
    double radius_1 = 0.0;              ///< [m], from 0
    double radius_2 = 0.0;              ///< [m], from 0
    double length = 0.0;  ///< [m], from 0; endless: a cylinder in both directions, radius_1 alone

    static Revolved cylinder(Vec3 point, Vec3 axis, double radius, double length = endless) {
        return {point, axis, radius, radius, length};
    }
    /// inner_radius above 0: with a hole.
    static Revolved disc(Vec3 centre, Vec3 normal, double radius, double inner_radius = 0.0) {
        return {centre, normal, inner_radius, radius, 0.0};
    }

    bool is_endless() const { return length == endless; }

    /// A place and the point of the line that is nearest to it, each as (distance along the axis
    /// from `point`, distance from the axis) [m].
    struct NearestOnLine {
        std::array<double, 2> from, at;
    };
    NearestOnLine nearest_on_line(const Vec3& centre, const Vec3& moved) const;

    /// A place relative to the axis: along it, away from it [m], and the direction away from it.
    struct Meridian {
        double along, away;
        Vec3 radial;
    };
    /// A place of the line that is nearest to another.
    struct OnLine {
        double along, away;  ///< [m]
        bool inner;          ///< between the ends
    };
    /// What follow() needs of a particle where it was when the neighbour list was built.
    struct Start {
        Vec3 centre;  ///< from `point` [m]
        Meridian meridian;
        OnLine place;
    };

    // Functions as in Plane (wall.hpp).
    const char* fault() const;
    bool is_along_z() const { return is_endless() && axis.x == 0.0 && axis.y == 0.0; }
    /// An endless cylinder along the axis.
    bool repeats_along(int of_box) const {
        const double along[] = {axis.x, axis.y, axis.z};
        return is_endless() && (along[of_box] == 1.0 || along[of_box] == -1.0);
    }
    template <class Visit>
    void each_part(Visit visit) const {
        visit(point);
        visit(axis);
        for (const double number : {radius_1, radius_2, length})
            visit(number);
    }
    Vec3 direction() const { return axis; }
    SurfacePoint closest(const Vec3& centre, const Vec3& moved) const;
    Start start(const Vec3& reference, const Vec3& from) const;
    double same_side(const Start& start) const;
    Vec3 follow(const Start& start, const Vec3& reference, const Vec3& displacement,
                const Vec3& from, const Vec3& moved) const;
};

}  // namespace beadwave::packing
