// What packings of ellipsoids and clumps have beside spheres: orientations at random, moments of
// inertia.
#pragma once

#include "packing/packing.hpp"
#include "shapes/inertia.hpp"
#include "shapes/superellipsoid.hpp"

#include <cstdint>

namespace beadwave::packing {

/// Number `number` of the stream `seed`: unit, uniform on the group of rotations. Four independent
/// normal numbers have a direction that is uniform on the sphere of unit quaternions [G. Marsaglia,
/// Ann. Math. Stat. 43 (1972) 645].
shapes::Quaternion random_orientation(std::uint64_t seed, std::uint64_t number);

/// The shape of a particle at the start, in a packing with shapes; of a clump the sphere around it.
shapes::Superellipsoid shape_of(const Packing& packing, std::size_t particle);
/// The ellipsoid of a particle at the start; of a superellipsoid that of its semi-axes.
shapes::Ellipsoid ellipsoid_of(const Packing& packing, std::size_t particle);

/// How far the particle reaches from its centre along the unit vector `n` at the start [m]: the
/// radius of a sphere.
double reach_of(const Packing& packing, std::size_t particle, const Vec3& n);
/// The smallest semi-axis, or the radius, of a clump that of its smallest ball [m].
double smallest_size(const Packing& packing, std::size_t particle);

/// About the axes of the body [kg m^2]: of an ellipsoid m (b^2 + c^2)/5 about x; in a packing of
/// spheres its inertia about each axis; of a clump about its principal axes (shapes::Clump::axes).
Vec3 principal_moments(const Packing& packing, std::size_t particle);
/// The least of them [kg m^2].
double least_moment(const Packing& packing, std::size_t particle);
/// The inertia of a particle with this orientation, and as it is turned at the start.
shapes::Inertia inertia_of(const Packing& packing, std::size_t particle,
                           const shapes::Quaternion& orientation);
shapes::Inertia inertia_of(const Packing& packing, std::size_t particle);

/// Kinetic energy of the rotation of a particle [J] with this angular velocity in space [rad/s] and
/// orientation.
double rotational_energy(const Packing& packing, std::size_t particle,
                         const shapes::Quaternion& orientation, const Vec3& angular_velocity);

}  // namespace beadwave::packing
