// What limits the time step of packings with ellipsoids: time_step.hpp.
#pragma once

#include "packing/contacts/pair_laws.hpp"
#include "packing/packing.hpp"
#include "packing/step/fastest_motion.hpp"

#include <array>
#include <vector>

namespace beadwave::packing {

/// Acceleration of the point of contact of one body per force on it [1/kg].
struct PointMobility {
    double along = 0.0;         ///< along the normal: 1/m + (r x n).I^-1 (r x n)
    double across = 0.0;        ///< an upper limit of it across the normal
    double turning = 0.0;       ///< angular acceleration per torque, the largest [1/(kg m^2)]
    double mean_turning = 0.0;  ///< the mean over the axes of the bodies [1/(kg m^2)]
};

/// A contact that may close during the run.
struct ShapedImpact {
    PairLaw law;
    PointMobility mobility;  ///< of both bodies together

    double mass() const { return 1.0 / mobility.along; }  ///< [kg]
};

/// For the particles of each material three places of their surfaces: where an elastic impact is
/// the shortest (the least m^2/R of the impact's mass and the radius of curvature), where the mass
/// is the least, and where the surface is the flattest. Each of them meets each other, the longer
/// axes of both ellipses aligned, and the walls. Throws ArgumentError if a law cannot be made.
std::vector<ShapedImpact> possible_shaped_impacts(const Packing& packing);

/// Two bodies that overlap at the start.
struct ShapedOverlap {
    CompressedContact contact;
    PairLaw law;
    std::array<PointMobility, 2> mobility;  ///< of the first body, and of the second
};
std::vector<ShapedOverlap> overlapping_shapes(const Packing& packing);

/// The fastest rotation of an ellipsoid at the start, and as it tumbles [rad/s]: its angular
/// momentum over its smallest moment. Spheres do not
/// count; drives that turn a particle do.
double fastest_tumbling(const Packing& packing);

}  // namespace beadwave::packing
