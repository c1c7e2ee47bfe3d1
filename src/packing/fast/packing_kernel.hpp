// What the fast packing engine asks of the vector code: plain pointers in, plain pointers out. The
// code behind it is compiled once per instruction set; normal and tangential laws are chosen once
// per run.
//
// A particle or ghost is lines of eight numbers, each one cache line: loaded eight at a time and
// turned into columns in registers, which costs a third of gathering number by number.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::packing {

inline constexpr std::size_t line = 8;
/// Entries of a block come in multiples of this.
inline constexpr std::size_t entry_block = 16;
/// Entries that go through the phases of a step together: their scratch stays in the first-level
/// cache.
inline constexpr std::size_t batch = 128;
inline constexpr std::size_t most_law_fields = 32;

/// Lines of all particles and ghosts.
struct Lines {
    double* place = nullptr;  ///< d x y z, R, r0 x y z, 0
    double* half = nullptr;  ///< v x y z in the middle of the step, friction work; R w x y z, power
    double* predicted = nullptr;  ///< v x y z at its end, 0, R w x y z, 0; null: no law asks
};

/// Pairs of one block of particles, each once.
struct Entries {
    std::size_t count;  ///< a multiple of entry_block
    const std::uint32_t *first, *second, *kind;
    const std::uint16_t *to_first, *to_second;  ///< lines of Sums
    /// Bodies that batch k is the first of its block to look at: from arrival_begin[k] to
    /// arrival_begin[k + 1] of arrivals. After the last batch come those of the next block's first.
    const std::uint32_t *arrivals, *arrival_begin;
    bool alike;  ///< all are of one kind
    const double* gap;
    double* memory[most_law_fields];
    double* sliding[4];
    double* rolling[4];  ///< null: no rolling resistance
};

/// Numbers of each kind of pair.
struct KindTable {
    std::size_t law_fields, slider_fields;
    const double* law[most_law_fields];
    const double* slider[4];
    const double* rolling[4];
    const double* inverse_radii;  ///< 1 / (R_1 + R_2), of a wall 1 / R_1
    const double* turning;        ///< 1, of a wall 0
};

/// One batch under way.
struct Scratch {
    alignas(64) double overlap[batch];
    alignas(64) double approach_speed[batch];
    alignas(64) double normal_force[batch];
    alignas(64) double inverse_distance[batch];
    alignas(64) double branch[3][batch];
    alignas(64) double predicted[6][batch];  ///< relative velocity, R_1 w_1 + R_2 w_2
    alignas(64) double turn[6][batch];       ///< w_1 - w_2 in the middle and at the end of the step
    alignas(64) double parameter[most_law_fields][batch];
};

/// Lines of force, work and lever, added up pair by pair: of the particles of a block, then one
/// that nobody asks for, then one a wall.
struct Sums {
    double* force;
    double* torque;  ///< the same of rolling; null: none
};

/// Between which numbers the components of vectors are.
struct Extent {
    std::array<double, 3> lowest{}, highest{};

    void see(const Extent& other) {
        for (std::size_t k = 0; k < 3; ++k) {
            lowest[k] = std::min(lowest[k], other.lowest[k]);
            highest[k] = std::max(highest[k], other.highest[k]);
        }
    }
    /// No two of the vectors are further apart.
    double diagonal() const {
        double squared = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            squared += (highest[k] - lowest[k]) * (highest[k] - lowest[k]);
        return std::sqrt(squared);
    }
};

/// What a step does to the particles of a block.
struct Kick {
    std::size_t begin, end;  ///< particles
    double *force, *torque;  ///< of Sums; set to zero
    /// On the last step of an advance only after.half is there, and gets the gain and the books.
    Lines before, after;
    const double* kick;             ///< dt/(2 m), and R^2 dt/(2 I), of each particle; 0: fixed
    const double* spin_kick;        ///< R dt/(2 I)
    alignas(64) double push[line];  ///< gain by gravity
    double time_step;
    bool power;     ///< whether the contacts' power is asked for
    Extent extent;  ///< out: of the displacements d
    bool quiet;     ///< out: nothing moves nor is pushed
};

struct PackingKernel {
    const char* name;
    /// Geometry of a batch from entry `from` on; `half`: slide() will ask for Lines::half.
    void (*place)(const Lines&, const Entries&, std::size_t from, std::size_t count, bool half,
                  bool predicted, bool turn, Scratch&);
    /// Normal forces and memory of a batch; by index into laws::AnyLaw.
    void (*normal[64])(const KindTable&, const Entries&, std::size_t from, std::size_t count,
                       Scratch&);
    /// Tangential forces; adds all forces and torques to the sums, pair by pair. By index into
    /// laws::AnySlider.
    void (*slide[8])(const KindTable&, const Lines&, const Entries&, std::size_t from,
                     std::size_t count, double time_step, Scratch&, const Sums&);
    void (*kick)(Kick&);
};

/// Of this processor, the fastest first. Never empty.
std::span<const PackingKernel> packing_kernels();

}  // namespace beadwave::packing
