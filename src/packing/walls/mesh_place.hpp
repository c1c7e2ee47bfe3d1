// The closest point of a wall in a periodic box, for estimates at the start. Engines know the
// images that a particle is near (mesh_images.hpp).
#pragma once

#include "packing/neighbours/neighbour_list.hpp"
#include "packing/packing.hpp"

#include <span>
#include <vector>

namespace beadwave::packing {

/// Wall::closest() in this box: of a mesh that repeats, the point of the nearest image, however
/// many periods away the place is.
class ClosestInBox {
  public:
    /// Both must outlive it.
    ClosestInBox(const Wall& wall, const Box& box);

    SurfacePoint operator()(const Vec3& centre, const Vec3& moved) const;

  private:
    const Wall& wall_;
    const Box& box_;
    bool repeats_;
    Vec3 middle_{};  // of the triangles without their images, from the point of the wall [m]
};

/// Where the particles at the start would touch the walls, for each ghost of the list: of a mesh,
/// its patch and image, at an infinite distance if another contact counts for it. Those of ghosts
/// that are images of particles have no meaning. `moved` [m]: of the walls.
std::vector<SurfacePoint> wall_contacts(const Packing& packing, const NeighbourList& list,
                                        std::span<const Vec3> moved);

}  // namespace beadwave::packing
