// Where cement joins two bodies of a packing with shapes: elements/bond_stepper.hpp.
#pragma once

#include "packing/packing.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace beadwave::packing {

/// The ends of the cement between two bodies whose surfaces are at most `distance` [m] apart at the
/// start; none if they are not. Between ellipsoids, superellipsoids and spheres one cement, along
/// their common normal: each end is where the normal passes the centre of the body, and the radius
/// is that of the sphere of the body's volume. Each ball of a clump has a cement of its own, which
/// ends at its centre and has its radius. Throws as common_normal() does.
std::vector<std::array<CementEnd, 2>> cement_between(const Packing& packing, std::size_t first,
                                                     std::size_t second, double distance);

}  // namespace beadwave::packing
