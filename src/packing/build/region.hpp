// Where stress and structure are measured: a box along the axes.
#pragma once

#include "packing/edges.hpp"

#include <span>

namespace beadwave::packing {

struct RegionBounds {
    Vec3 lower, upper;  ///< [m]; z is 0 in the plane
    bool whole;         ///< it holds all particles: no region is given

    Vec3 edges() const { return upper - lower; }
    /// [m^3]; in the plane the area [m^2].
    double volume(int dimension) const {
        const Vec3 e = edges();
        return e.x * e.y * (dimension == 3 ? e.z : 1.0);
    }
};

/// The packing's region; without one the whole packing: the periodic box, and along other axes from
/// wall to wall. `moved`: the present displacements of the walls [m]; `box`: the present box, whose
/// tilt does not count.
RegionBounds region_bounds(const Packing& packing, std::span<const Vec3> moved, const Edges& box);

/// The axis, 'x', 'y' or 'z', along which the whole packing has no bounds: it is not periodic, and
/// there are no two plane walls across it that face each other. 0: there is none.
char unbounded_axis(const Packing& packing);

/// Whether a point [m] is in a region along the axes; an image in the periodic box with these edges
/// counts. In the plane z does not count.
bool is_in(const Vec3& lower, const Vec3& upper, const Packing& packing, const Edges& box,
           const Vec3& centre);

/// Whether a centre [m] is in the region.
bool is_in(const RegionBounds& region, const Packing& packing, const Vec3& centre);

/// Whether the centre of each particle is in the region.
std::vector<char> particles_in(const RegionBounds& region, const Packing& packing,
                               std::span<const Vec3> displacement);

}  // namespace beadwave::packing
