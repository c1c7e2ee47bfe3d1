// Hollows of a mesh that particles are too large for. Triangles that meet with small bends form one
// patch, which is touched at one point; a sphere in a smooth hollow narrower than itself would
// touch it on two sides.
#pragma once

#include "packing/packing.hpp"

#include <optional>
#include <string>

namespace beadwave::packing {

/// A warning if a wall's mesh has such a hollow for the largest particle: a place where the sphere
/// that touches the middle of a triangle goes through the same patch elsewhere, in a direction that
/// differs by more than the usual feature angle, 30 degrees. The sphere that stands for an
/// ellipsoid is that of its largest radius of curvature, in which it lies; cylinders are looked at
/// too then.
std::optional<std::string> narrow_hollow(const Packing& packing);

}  // namespace beadwave::packing
