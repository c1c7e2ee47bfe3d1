// What the tiled engine asks of the vector code of one law: plain pointers in, plain pointers out.
// The code behind it is compiled once per instruction set and law, and chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::dynamics {

/// Beads and contacts come in blocks of this many: two of the widest registers hold as many.
inline constexpr std::size_t block_beads = 16;

/// Most numbers of a law or its memory.
inline constexpr std::size_t most_fields = 32;

/// Parameters of a row of contacts and of the beads to their right. In a uniform row every pointer
/// but `gap` points at one number that holds for all; else at one number a contact or bead.
struct Parameters {
    double time_step;
    bool uniform;
    const double* law[most_fields];
    const double* gap;   ///< one a contact, and a block more [m]
    const double* kick;  ///< dt / (2 m); 0: the bead is held [s/kg]
    const double* push;  ///< gravity and loads [N]
};

/// State of beads and contacts in a row; entry 0 is bead `Visit::first` and the contact to its
/// left. One block behind each array may be overwritten.
struct State {
    double* displacement;
    double* velocity;
    double* gain;  ///< (dt/2) acceleration [m/s]
    double* half;  ///< half-step velocity; scratch
    double* force;
    double* power;  ///< sum over steps of the contacts' force on the bead times its velocity [W];
                    ///< null for conservative laws
    double* memory[most_fields];
};

/// A sensor inside a tile.
struct TileSensor {
    std::size_t bead;
    std::size_t column;  ///< in the trace
};

/// A wall that moves as prescribed, at an end of a row; null pointers: it rests where it stood at
/// the start.
struct WallMotion {
    const double* displacement = nullptr;  ///< after each step of the visit [m]
    const double* velocity = nullptr;      ///< [m/s]
    double* force = nullptr;  ///< what its contact bears after each step [N]; null: nobody asks
};

/// T steps of a row of beads. Where the row does not end with the chain, one bead a step at that
/// end turns to rubbish.
struct Visit {
    State state;
    std::size_t first;   ///< bead; a multiple of `block_beads`
    std::size_t length;  ///< a multiple of `block_beads`
    bool left_end, right_end;
    WallMotion left_wall, right_wall;
    std::size_t
        right_wall_entry;  ///< behind the last bead: its contact's, and the wall's own if it moves
    std::int64_t steps;
    std::span<const TileSensor> sensors;
    double* trace_force;     ///< row of the first step
    double* trace_velocity;  ///< row of the first step
    std::size_t trace_stride;
};

/// What a look at the beads [begin, end) of a row shows.
struct Look {
    /// Blocks that move, local: outside of them one more step would change nothing, if the
    /// neighbours stay at rest. Equal if all rest. What is not finite moves.
    std::size_t begin, end;
    bool finite;                ///< all of the state: motion, forces, memory
    double discarded_energy;    ///< kinetic, of the beads put to rest [J]
    double discarded_momentum;  ///< [kg m/s]
};

/// The largest slopes of the contacts of a row's beads.
struct RowRates {
    double stiffness;  ///< sum of both contacts' stiffness over the bead's mass [1/s^2]
    double damping;    ///< sum of both contacts' damping over the bead's mass [1/s]
    std::size_t stiffness_bead, damping_bead;  ///< local
};

/// The vector code of one law on one instruction set; null functions if the law has none.
struct Kernel {
    /// Force and memory of the contacts [begin, end) as they start.
    void (*touch)(const Parameters&, const Visit&, std::size_t begin, std::size_t end) = nullptr;
    /// Gain of the beads [begin, end) from the forces.
    void (*settle)(const Parameters&, const Visit&, std::size_t begin, std::size_t end) = nullptr;
    void (*visit)(const Parameters&, const Visit&) = nullptr;
    /// With `tolerance` [m/s] > 0, first puts to rest the outer blocks in which no bead moves
    /// faster or could, with its neighbours standing still: they lose their kinetic energy and wait
    /// as they are for the next wave.
    Look (*look)(const Parameters&, const Visit&, std::size_t begin, std::size_t end,
                 double tolerance) = nullptr;
    /// Of the beads [begin, end) after a visit; `speed` [m/s] as in laws::slopes.
    RowRates (*rates)(const Parameters&, const Visit&, std::size_t begin, std::size_t end,
                      double speed) = nullptr;
};

/// Number functions on `count` doubles, a multiple of `block_beads`: for tests of the vector
/// numbers.
using NumberFunction = void (*)(const double* x, double* y, std::size_t count);
struct NumberFunctions {
    NumberFunction power_3_2, sqrt, log, cbrt, exp;
    NumberFunction pow_5_4, pow_2_3;  ///< x^1.25 and x^(2/3) by the general power
};

/// What two vectors answer lane by lane, as they must for tests: conditions give 1 or 0.
using PairFunction = void (*)(const double* x, const double* y, double* z, std::size_t count);
struct PairFunctions {
    PairFunction less, greater, less_equal, greater_equal, equal, not_equal;
    PairFunction not_less, not_greater;  ///< the negations
    PairFunction at_least, at_most;
};

/// The vector code for one instruction set.
struct InstructionSet {
    const char* name;
    std::size_t lanes;
    bool fused;                         ///< multiplies and adds with one rounding
    Kernel (*kernel)(std::size_t law);  ///< by index into laws::AnyLaw
    NumberFunctions functions;
    PairFunctions pair_functions;
};

/// The instruction sets of this processor, the fastest first. Never empty.
std::span<const InstructionSet> instruction_sets();

}  // namespace beadwave::dynamics
