// The interface between the tiled engine and the vector code of springs to the ground, resonators,
// forces over time, driven beads, bonds and forces between beads that need no contact. They follow
// from the displacements after a step, so a tile steps them by itself, after each sweep over its
// contacts. Where a row carries nothing but resonators, or nothing but springs to the ground, the
// sweep steps them in passing, except in the last step of a task (element_beads.inl.hpp).
#pragma once

#include "../tiled/tiled_kernel.hpp"

#include <cstddef>
#include <span>

namespace beadwave::laws {
class PairLaw;
}

namespace beadwave::dynamics {

/// One number per bead of a row, or one for all.
struct SpringRow {
    const double *stiffness, *cubic, *damping;
};

struct ResonatorRow {
    SpringRow spring;
    const double* kick;  ///< dt / (2 m); 0: no resonator [s/kg]
    double *displacement, *velocity;
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
};

/// A force over time on a bead of a row.
struct LoadRow {
    std::size_t entry;
    const double* force;   ///< after each step of the task [N]
    double* displacement;  ///< of the bead after each step, for the work; null: not needed
};

/// A bead of a row with a prescribed motion.
struct DrivenRow {
    std::size_t entry;
    const double *displacement, *velocity;  ///< after each step of the task
    /// Forces on the bead after each step [N]: of its contacts, and of springs and resonators;
    /// null: not needed.
    double *contact_force, *element_force;
};

/// The bonds of a row, by contact: entry i is the contact to the left of bead i.
struct BondRow {
    const double *stiffness, *damping, *stretch, *strength, *pushes;  ///< see BondColumns
    double *broken_at, *broken_energy;                                ///< see ElementPointers
    // Scratch: elongation after the last step, and tension; one number more than beads.
    double *elongation, *tension;
    double steps_done;  ///< before the task
};

/// Pairs of each bead with one neighbour to its right, by left beads (chain::PairTable::Term).
struct PairRow {
    const laws::PairLaw* law;
    std::size_t neighbour;
    const double *spacing, *strength;
};

/// The springs, resonators and other elements that the beads of a row carry.
struct ElementRow {
    bool cubic, damped;
    bool uniform;   ///< springs and resonators are the same in the whole row
    bool grounded;  ///< there are springs to the ground
    bool single;    ///< one resonator per bead at most has what is damped, and there are no bonds
    SpringRow ground;
    std::span<const ResonatorRow> resonators;
    const BondRow* bonds;  ///< null: none
    std::span<const LoadRow> loads;
    std::span<const DrivenRow> driven;
    std::span<const PairRow> pairs;
    // Scratch, if there are pairs: the force of each pair, with one block of zeros before entry 0,
    // and of all pairs on each bead [N].
    double *pair_force, *pairs_on_bead;
    double* force;  ///< of springs, resonators and pair forces on each bead [N]
    double* power;  ///< see ElementPointers; null: nothing dissipates
    /// What rounding adds to velocity plus half-step velocity change to make the half-step velocity
    /// of the next step [m/s]: so steps have the same bits however they are grouped.
    double* half_rounding;
    /// Scratch, if springs dissipate: the predicted velocity of the next step; in a row of single
    /// resonators what the half-step velocity changes of beads and masses differ by [m/s].
    double* predicted;
};

/// The vector code on one instruction set. A step is begin_step(), the sweep, end_step().
struct ElementKernel {
    /// First forces of the beads [begin, end), also in the half-step velocity change.
    void (*init)(const ElementRow&, const Parameters&, const State&, std::size_t begin,
                 std::size_t end) = nullptr;
    /// Called before the first step of a row of `length` beads.
    void (*start)(const ElementRow&, const State&, std::size_t length) = nullptr;
    /// `step`: number in the task, from 0.
    void (*begin_step)(const ElementRow&, const State&, std::size_t step) = nullptr;
    /// Adds the forces to the velocities that the sweep has left. `uses_speed`: the contacts need
    /// the half-step velocity change in the next step.
    void (*end_step)(const ElementRow&, const Parameters&, const TileTask&, std::size_t begin,
                     std::size_t end, std::size_t step, bool uses_speed) = nullptr;
    /// Whether one more step leaves the elements of the beads [begin, end) as they are, if these
    /// are at rest.
    bool (*at_rest)(const ElementRow&, const State&, std::size_t begin, std::size_t end) = nullptr;
    /// Whether all numbers of the elements of the beads [begin, end) are finite.
    bool (*finite)(const ElementRow&, std::size_t begin, std::size_t end) = nullptr;
};

/// Defined by vector_code.cpp for each instruction set.
template <simd::Target>
ElementKernel element_kernel();

}  // namespace beadwave::dynamics
