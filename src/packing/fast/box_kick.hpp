// What the kick of particles takes from a box that strains (packing/box_motion.hpp). Plain numbers,
// for vector code; box_forces.hpp makes them.
#pragma once

namespace beadwave::packing {

/// A matrix of the shape of Edges: columns, each with a 0 behind it.
struct BoxMatrix {
    alignas(32) double column[3][4]{};
};

struct BoxKick {
    alignas(32) double lower[4]{};  ///< corner of the box [m]
    BoxMatrix inverse{};            ///< of the edges, at the end of the step [1/m]
    BoxMatrix rate{};               ///< of the edges, as the step's forces take it [m/s]
    BoxMatrix acceleration{};       ///< of the edges, at the end of the step [m/s^2]
    double rounding = 0.0;          ///< BoxMotion::rounding
    const double* mass = nullptr;   ///< of each particle [kg]
    double force = 0.0;             ///< of a change of velocity in half a step, per mass [1/s]
    // The next step, for the ranges of displacements and velocities that are not affine.
    BoxMatrix stretch{}, step_stretch{};
    double steps_per_time = 0.0;  ///< [1/s]
};

}  // namespace beadwave::packing
