// The interface between the tangent engine and the vector code of one law: plain pointers in, plain
// pointers out. The vector code is compiled once per instruction set and law.
//
// A column has one number per contact or bead, followed by the derivatives along each direction:
// the derivative of entry i along direction k is at (1 + k) * stride + i.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>

namespace beadwave::dynamics {

/// Directions in one run. With more than two, the numbers of a law do not fit the registers.
inline constexpr std::size_t tangent_directions = 2;

/// The number of entries of a row is a multiple of this, the number of lanes of the widest
/// register.
inline constexpr std::size_t tangent_block = 8;

/// A number and its derivatives.
using DualNumber = double[1 + tangent_directions];

/// Beads and contacts in a row; contact i is the one to the left of bead i.
struct TangentRow {
    double time_step;    ///< [s]
    std::size_t length;  ///< entries, a multiple of `tangent_block`
    std::size_t stride;  ///< of the columns
    const double* law[simd::most_fields];
    const double* gap;         ///< [m]
    const double* kick;        ///< dt / (2 m); 0: the bead is fixed [s/kg]
    const double* body_force;  ///< gravity and loads [N]
    double* displacement;
    double* half;             ///< half-step velocity
    double* half_after;       ///< of the next step, by contacts and weight; `half` if that is all
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
    double* force;
    double* memory[simd::most_fields];
    double* overlap;         ///< after the step before [m]
    double* approach_speed;  ///< after the step before, without derivatives [m/s]
    /// Contribution of force jumps to the derivatives of the impulse [N s]; zero between steps.
    double* blow;
};

/// The wall left of the first bead.
struct TangentWall {
    DualNumber displacement, velocity;
};

/// The vector code of one law on one instruction set.
struct TangentKernel {
    /// First force and memory of the row; `half` has the velocities. Then init_velocity_change()
    /// sets the half-step velocity changes, and init_half_step() adds these to `half`.
    void (*init_forces)(const TangentRow&, const TangentWall&) = nullptr;
    void (*init_velocity_change)(const TangentRow&) = nullptr;
    void (*init_half_step)(const TangentRow&) = nullptr;
    /// Returns whether there are blows, which apply_blows() then adds to `half`.
    bool (*step)(const TangentRow&, const TangentWall&) = nullptr;
    void (*apply_blows)(const TangentRow&) = nullptr;
    bool uses_speed = false;  ///< whether the force depends on the approach speed
};

/// The vector code of the law with this index in laws::AnyLaw. Defined by vector_code.cpp for each
/// instruction set.
template <simd::Target>
TangentKernel tangent_kernel(std::size_t law);

}  // namespace beadwave::dynamics
