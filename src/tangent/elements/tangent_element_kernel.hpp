// The interface between the tangent engine and the vector code of what beads carry: springs to the
// ground, resonators, bonds, forces between beads that need no contact, forces over time and driven
// beads. A column with derivatives is laid out as tangent_kernel.hpp says.
#pragma once

#include "tangent/tangent_kernel.hpp"

#include <cstddef>
#include <span>

namespace beadwave::laws {
class PairLaw;
}

namespace beadwave::dynamics {

struct TangentSprings {
    const double *stiffness, *cubic, *damping;
};

struct TangentResonators {
    TangentSprings spring;
    const double* kick;  ///< dt / (2 m); 0: no resonator [s/kg]
    double* displacement;
    double* half;             ///< half-step velocity; the velocity before init
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
};

/// The bonds of a row, by contact: entry i is the contact to the left of bead i.
struct TangentBonds {
    const double *stiffness, *damping, *stretch, *strength;
    // Without derivatives.
    const double* pushes;  ///< 0: for tension only, otherwise 1
    double* broken;        ///< 1: the bond has broken
    double* apart;         ///< elongation after the last step, also where it has no force [m]
    double* tension;       ///< scratch [N]
};

/// Pairs of each bead with one neighbour to its right, by left beads.
struct TangentPairs {
    const laws::PairLaw* law;
    DualNumber distance, exponent, range;  ///< of the law
    double power_at_range;                 ///< (r0/R)^p; 0 without a range
    std::size_t neighbour;
    const double *spacing, *strength;
};

/// A force over time on a bead, after the step.
struct TangentLoad {
    std::size_t entry;
    DualNumber force;  ///< [N]
};

struct TangentElementRow {
    // Whether there is something of this sort at all.
    bool cubic, damped, grounded, ground_damped;
    bool single;      ///< one resonator per bead at most has what is damped, and no bonds
    bool uses_speed;  ///< whether contacts need the half-step velocity change of the beads
    TangentSprings ground;
    std::span<const TangentResonators> resonators;
    const TangentBonds* bonds;  ///< null: none
    std::span<const TangentPairs> pairs;
    std::span<const TangentLoad> loads;
    /// Scratch, if there are pairs: the force of each pair, with zeros for most_neighbours entries
    /// before entry 0, and of all pairs on each bead [N].
    double *pair_force, *pairs_on_bead;
    /// If something is damped: the half-step velocity change of the beads after the last step. The
    /// contacts overwrite that of the row.
    double* last_change;
};

struct TangentElementKernel {
    /// Adds the first forces to the half-step velocity changes of the beads, whose velocities are
    /// in `half`. Sets the half-step velocities of resonators.
    void (*init)(const TangentRow&, const TangentElementRow&) = nullptr;
    /// Adds the forces after a step: from `half_after`, which the contacts have left, to `half`.
    /// Returns whether something was added to the blows.
    bool (*step)(const TangentRow&, const TangentElementRow&) = nullptr;
};

/// Defined by vector_code.cpp for each instruction set.
template <simd::Target>
TangentElementKernel tangent_element_kernel();

}  // namespace beadwave::dynamics
