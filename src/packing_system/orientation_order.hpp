// How the particles of a packing that are no spheres are oriented: the mean of u u over their axes,
// and the nematic order parameter [P. G. de Gennes, J. Prost, The Physics of Liquid Crystals, 1993,
// section 2.1]: the largest eigenvalue of Q = (3 mean(u u) - 1)/2, which is 1 where all axes are
// parallel, 0 where they point anywhere, and 1/4 where they lie at random in a plane.
//
// u is the principal axis whose length differs from that of the middle one by the larger factor:
// the long axis of a rod, the short one of a disc. Spheres, cubes and others with three equal axes
// have none, and do not count.
#pragma once

#include "packing_system/packing_measures.hpp"

namespace beadwave::observers {

/// Mean of u_i u_j over the particles in the region that have an axis; of trace 1, zero without
/// such particles.
Tensor orientation_fabric(const MeasuredState& state);
/// The nematic order parameter; zero without such particles.
double nematic_order(const MeasuredState& state);

}  // namespace beadwave::observers
