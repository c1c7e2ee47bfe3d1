// What the tangent engine asks of the vector code of one law: plain pointers in, plain pointers
// out. The code behind it is compiled once per instruction set and law.
//
// A column holds one number a contact, or a bead, and behind the numbers their derivatives along
// each direction: entry i, direction k stands at (1 + k) * stride + i.
#pragma once

#include "dynamics/tiled/tiled_kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::dynamics {

/// Directions that one run carries. More than two, and the numbers of a law leave the registers.
inline constexpr std::size_t tangent_directions = 2;

/// Entries of a row come in multiples of this, as many as the widest register holds.
inline constexpr std::size_t tangent_block = 8;

/// A number and its derivatives.
using DualNumber = double[1 + tangent_directions];

/// Beads and contacts in a row; contact i is the one to the left of bead i.
struct TangentRow {
    double time_step;    ///< [s]
    std::size_t length;  ///< entries, a multiple of `tangent_block`
    std::size_t stride;  ///< of the columns
    const double* law[most_fields];
    const double* gap;   ///< [m]
    const double* kick;  ///< dt / (2 m); 0: the bead is held [s/kg]
    const double* push;  ///< gravity and loads [N]
    double* displacement;
    double* half;  ///< half-step velocity
    double* gain;  ///< (dt/2) acceleration [m/s]
    double* force;
    double* memory[most_fields];
    double* overlap;         ///< after the step before [m]
    double* approach_speed;  ///< after the step before, without derivatives [m/s]
    /// What jumps of the force add to the derivatives of its impulse [N s]; zero between steps.
    double* blow;
};

/// The wall left of the first bead.
struct TangentWall {
    DualNumber displacement, velocity;
};

/// The vector code of one law; null functions if the law has none.
struct TangentKernel {
    /// Force, memory and gain as the row starts, with the velocities in `half`, which then holds
    /// the half-step velocities.
    void (*touch)(const TangentRow&, const TangentWall&) = nullptr;
    void (*settle)(const TangentRow&) = nullptr;
    void (*step)(const TangentRow&, const TangentWall&) = nullptr;
};

struct TangentInstructions {
    const char* name;
    TangentKernel (*kernel)(std::size_t law);  ///< by index into laws::AnyLaw
};

/// Of this processor, the fastest first, in the order of instruction_sets().
std::span<const TangentInstructions> tangent_instructions();

}  // namespace beadwave::dynamics
