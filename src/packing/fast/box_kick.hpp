// What the kick of particles takes from a box that strains (packing/box_motion.hpp). Plain numbers,
// for vector code; box_forces.hpp makes them.
#pragma once

namespace beadwave::packing {

/// A matrix of the shape of Edges: columns, each with a 0 behind it.
struct BoxMatrix {
    alignas(32) double column[3][4]{};
};
/// Two of them side by side.
struct TwoBoxMatrices {
    alignas(64) double column[3][8]{};

    TwoBoxMatrices() = default;
    TwoBoxMatrices(const BoxMatrix& first, const BoxMatrix& second) {
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 4; ++j) {
                column[k][j] = first.column[k][j];
                column[k][4 + j] = second.column[k][j];
            }
        }
    }
};

struct BoxKick {
    alignas(32) double lower[4]{};  ///< corner of the box [m]
    BoxMatrix inverse{};            ///< of the edges, at the end of the step [1/m]
    BoxMatrix rate{};               ///< of the edges, as the step's forces take it [m/s]
    BoxMatrix acceleration{};       ///< of the edges, at the end of the step [m/s^2]
    double rounding = 0.0;          ///< BoxMotion::rounding
    const double* mass = nullptr;   ///< of each particle [kg]
    double force = 0.0;             ///< of a change of velocity in half a step, per mass [1/s]
    /// BoxMotion::stretch() and step_stretch() in the next step, for the ranges of what is not
    /// affine.
    TwoBoxMatrices stretches{};
    double steps_per_time = 0.0;  ///< [1/s]
};

}  // namespace beadwave::packing
