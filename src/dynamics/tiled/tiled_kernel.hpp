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

/// Parameters of a stretch of contacts and of the beads to their right, one column each.
struct ParameterColumns {
    std::size_t begin;  ///< the contact that the columns start with; a multiple of `block_beads`
    const double* law[most_fields];
    const double* gap;           ///< [m]
    const double* inverse_mass;  ///< [1/kg]; 0: the bead is held
    const double* external;      ///< acceleration by gravity and loads [m/s^2]
};

/// Parameters of the whole chain: a uniform stretch, held in registers, between two that are not.
struct Parameters {
    double time_step;
    double law[most_fields];
    double gap, inverse_mass, external;
    ParameterColumns left, right;
};

/// State of beads and contacts in a row; entry 0 is bead `first` and the contact to its left. One
/// block before each array may be overwritten.
struct State {
    double* displacement;
    double* velocity;
    double* gain;  ///< (dt/2) acceleration [m/s]
    double* half;  ///< half-step velocity; scratch
    double* force;
    double* work;  ///< null for conservative laws
    double* memory[most_fields];
};

/// A sensor inside a tile.
struct TileSensor {
    std::size_t bead;    ///< local
    std::size_t column;  ///< in the trace
};

/// T steps of a row of beads. Where the row does not end with the chain, one bead a step at that
/// end turns to rubbish.
struct Visit {
    State state;
    std::size_t first;   ///< bead; a multiple of `block_beads`
    std::size_t length;  ///< a multiple of `block_beads`
    bool left_end, right_end;
    std::size_t uniform_begin, uniform_end;  ///< local, multiples of `block_beads`
    std::int64_t steps;
    std::span<const TileSensor> sensors;
    double* trace_force;     ///< row of the first step
    double* trace_velocity;  ///< row of the first step
    std::size_t trace_stride;
};

/// What a look at resting or moving beads [begin, end) of a visit's row shows.
struct Look {
    bool at_rest;  ///< one more step would change nothing, if the neighbours stay at rest
    bool finite;
};

/// The vector code of one law on one instruction set; null functions if the law has none.
struct Kernel {
    /// Force, memory and gain of the initial state.
    void (*start)(const Parameters&, const Visit&) = nullptr;
    void (*visit)(const Parameters&, const Visit&) = nullptr;
    Look (*look)(const Parameters&, const Visit&, std::size_t begin, std::size_t end) = nullptr;
};

/// Number functions on `count` doubles, a multiple of `block_beads`: for tests of the vector numbers.
using NumberFunction = void (*)(const double* x, double* y, std::size_t count);
struct NumberFunctions {
    NumberFunction power_3_2, sqrt, log, cbrt, exp;
};

/// The vector code for one instruction set.
struct InstructionSet {
    const char* name;
    std::size_t lanes;
    Kernel (*kernel)(std::size_t law);  ///< by index into laws::AnyLaw
    NumberFunctions functions;
};

/// The instruction sets of this processor, the fastest first. Never empty.
std::span<const InstructionSet> instruction_sets();

}  // namespace beadwave::dynamics
