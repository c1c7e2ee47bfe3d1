// The interface between the tiled engine and the vector code of one law: plain pointers in, plain
// pointers out. The vector code is compiled once per instruction set and law, and chosen at run
// time.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::dynamics {

/// Beads and contacts are processed in blocks of this size.
inline constexpr std::size_t block_beads = simd::most_lanes;

/// Parameters of a row of contacts and of the beads to their right. In a uniform row every pointer
/// except `gap` points to one common number, otherwise to one number per contact or bead.
struct Parameters {
    double time_step;
    bool uniform;
    const double* law[simd::most_fields];
    const double* gap;         ///< one number per contact, and one more block [m]
    const double* kick;        ///< dt / (2 m); 0: the bead is fixed [s/kg]
    const double* body_force;  ///< gravity and loads [N]
};

/// State of beads and contacts in a row; entry 0 is bead `TileTask::first` and the contact to its
/// left. One block behind each array may be overwritten.
struct State {
    double* displacement;
    double* velocity;
    double* velocity_change;  ///< (dt/2) acceleration [m/s]
    double* half;             ///< half-step velocity; scratch
    double* half_after;       ///< where a sweep puts that of the next step; the same, or scratch
    double* force;
    double* power;  ///< sum over steps of the contacts' force on the bead times its velocity [W];
                    ///< null for conservative laws
    double* memory[simd::most_fields];
};

/// A sensor inside a tile.
struct TileSensor {
    std::size_t bead;
    std::size_t column;  ///< in the trace
};

/// A wall with prescribed motion at an end of a row; null pointers: it is at rest in its initial
/// position.
struct WallMotion {
    const double* displacement = nullptr;  ///< after each step of the task [m]
    const double* velocity = nullptr;      ///< [m/s]
    double* force = nullptr;               ///< of its contact after each step [N]; null: not needed
};

struct ElementRow;
struct ElementKernel;

/// T steps of a row of beads. At an end of the row that is not an end of the chain, one more bead
/// becomes invalid in each step (invalid halo).
struct TileTask {
    State state;
    std::size_t first;   ///< number of the first bead; a multiple of `block_beads`
    std::size_t length;  ///< a multiple of `block_beads`
    bool left_end, right_end;
    WallMotion left_wall, right_wall;
    std::size_t
        right_wall_entry;  ///< entry behind the last bead: for its contact, and for a moving wall
    std::int64_t steps;
    std::span<const TileSensor> sensors;
    double* trace_force;     ///< row of the first step
    double* trace_velocity;  ///< row of the first step
    std::size_t trace_stride;
    const ElementRow* elements;  ///< what the beads carry (element_kernel.hpp); null: nothing
    const ElementKernel* element_kernel;
};

/// Result of a scan of the beads [begin, end) of a row.
struct Scan {
    /// Blocks that move, by index in the row. Outside of them one more step changes nothing if the
    /// neighbours stay at rest. begin == end: all are at rest. A block that is not finite counts as
    /// moving.
    std::size_t begin, end;
    bool finite;                 ///< the whole state: motion, forces, memory
    double sleep_loss_energy;    ///< kinetic, of the beads put to sleep [J]
    double sleep_loss_momentum;  ///< [kg m/s]
};

/// The largest slopes of the contacts of the beads of a row.
struct RowSlopes {
    double stiffness;  ///< sum of both contacts' stiffness over the bead's mass [1/s^2]
    double damping;    ///< sum of both contacts' damping over the bead's mass [1/s]
    std::size_t stiffness_bead, damping_bead;  ///< by index in the row
};

/// The vector code of one law on one instruction set.
struct Kernel {
    /// First force and memory of the contacts [begin, end).
    void (*init_forces)(const Parameters&, const TileTask&, std::size_t begin,
                        std::size_t end) = nullptr;
    /// Half-step velocity change of the beads [begin, end), from the first forces.
    void (*init_half_step)(const Parameters&, const TileTask&, std::size_t begin,
                           std::size_t end) = nullptr;
    void (*advance)(const Parameters&, const TileTask&) = nullptr;
    /// Scans the beads [begin, end). With `tolerance` [m/s] > 0, first puts outer blocks to sleep:
    /// those in which no bead moves faster than this or could do so with its neighbours fixed. They
    /// lose their kinetic energy and keep their displacements until the next wave.
    Scan (*scan)(const Parameters&, const TileTask&, std::size_t begin, std::size_t end,
                 double tolerance) = nullptr;
    /// Slopes of the beads [begin, end) after a task; `speed` [m/s] is that of laws::slopes.
    RowSlopes (*row_slopes)(const Parameters&, const TileTask&, std::size_t begin, std::size_t end,
                            double speed) = nullptr;
};

/// The vector code of the law with this index in laws::AnyLaw. Defined by vector_code.cpp for each
/// instruction set.
template <simd::Target>
Kernel tiled_kernel(std::size_t law);

}  // namespace beadwave::dynamics
