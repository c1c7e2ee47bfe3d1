// The closest point of a wall in a periodic box, for estimates at the start. Engines know the
// images that a particle is near (mesh_images.hpp).
#pragma once

#include "packing/neighbour_list.hpp"
#include "packing/packing.hpp"

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

/// Where a particle at `centre` would touch the wall of this ghost: of a mesh, its patch and image,
/// at an infinite distance if the contact of another patch counts for it. `moved` [m]: of the wall.
SurfacePoint wall_contact(const Packing& packing, const Ghost& ghost, const Vec3& centre,
                          const Vec3& moved);

}  // namespace beadwave::packing
