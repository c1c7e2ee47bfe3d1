// What the kernels of a device get: plain pointers to its memory.
//
// Bodies are those of the fast engine: particles, ghosts, then the dummy; their lines are its
// Lines. Each particle has a row of sides: its pairs, in the order in which the fast engine adds up
// their forces. A pair of two particles has a side in the rows of both, and both compute it, with
// the same bits; so no particle waits for another. Rows of 32 particles lie side by side in a
// slice: number k of the row of particle i is at slice_begin[i / 32] + 32 k + i % 32 in all columns
// of sides.
#pragma once

#include <cstddef>
#include <cstdint>

namespace beadwave::packing::on_device {

inline constexpr std::size_t line = 8;
inline constexpr std::uint32_t none = 0xFFFFFFFFU;
inline constexpr std::size_t slice = 32;
inline constexpr std::size_t most_memory = 8, most_numbers = 16;
/// Bits of Sides::other: the particle whose row it is is the second body of the pair; and it is
/// there as its image, Sides::self.
inline constexpr std::uint32_t is_second = 0x80000000U, is_image = 0x40000000U,
                               body_mask = 0x3FFFFFFFU;
/// Extents and the deepest overlap are found in so many places, so that threads rarely meet.
inline constexpr std::size_t result_slots = 64;
/// Numbers of a slot: lowest x y z, highest x y z, overlap times (1/R_1 + 1/R_2), by how much fast
/// particles have left their reach; as ordered().
inline constexpr std::size_t slot_numbers = 8;

struct BodyColumns {
    double* place;
    double* half;
    double* predicted;       ///< null: no law needs it
    std::uint8_t* delicate;  ///< 1: a number of the body, or of its pairs' memory, is tiny()
};

struct Sides {
    const std::uint32_t* slice_begin;
    const std::uint32_t* count;  ///< of each particle
    const std::uint32_t* other;  ///< body, with is_second and is_image
    /// The body that is the image; where `other` is a ghost: its row in StepArguments::ghost_force.
    const std::uint32_t* self;
    const std::uint32_t* row;  ///< of the parameters; null: row 0
    const double* gap;
    double* memory[most_memory];
    double* sliding[4];
    double* rolling[4];
    double* tangential_force[3];  ///< null except at the end of an advance
};

/// The columns of a KindTable on the device.
struct Parameters {
    const double* law[most_numbers];
    const double* slider[4];
    const double* rolling[4];
    const double* inverse_radii;
    const double* turning;
};

struct StepArguments {
    std::uint64_t particles;
    BodyColumns before, after;  ///< at the end of an advance of `after` only half is given
    Sides sides;
    Parameters parameters;
    const double* kick;          ///< two per particle, as Kick::kick
    const double* angular_kick;  ///< with rolling resistance
    double* rolling_work;        ///< with rolling resistance
    double gravity_change[line];
    double time_step;     ///< between two places [s]
    double sliding_step;  ///< of contacts: 0 at the start [s]
    /// The particles that the step leaves to the delicate step, which flushes, and their number.
    std::uint32_t* delicate;
    std::uint32_t* delicate_count;
    std::uint32_t* delicate_count_next;  ///< of the next step: becomes 0
    std::int64_t* results;               ///< slots
    std::int64_t* results_next;          ///< of the next step, which this one makes fresh
    std::uint32_t power;                 ///< whether to add the contacts' power
    const double* reach;                 ///< of fast particles, 0 of others [m]; null: none is fast
    /// Three numbers for each pair with a ghost that is counted: the force on it; null: nobody
    /// asks.
    double* ghost_force;
    /// 1 + the number of a traced particle, 0 of others; null: none is traced.
    const std::uint32_t* trace_number;
    double* trace;  ///< six numbers for each: force, velocity in the middle of the step
};

/// Copies the lines of particles to those of their images.
struct ImageArguments {
    std::uint64_t images;
    std::uint64_t particles;
    const std::uint32_t* ghost;  ///< number of each image among the ghosts
    const std::uint32_t* of;     ///< its particle
    BodyColumns lines;
    std::uint32_t half;  ///< whether to copy velocities
};

/// Finds what is delicate in numbers that the host has written.
struct InspectArguments {
    std::uint64_t bodies, particles;
    BodyColumns lines;
    Sides sides;
    std::uint32_t memory, sliding, rolling;  ///< numbers of columns of sides
};

/// Makes numbers below the normal ones zero, which the host may have written.
struct FlushArguments {
    std::uint64_t numbers;
    double* column;
};

/// Copies the displacements of some particles into a list.
struct GatherArguments {
    std::uint64_t count;
    const std::uint32_t* of;
    const double* place;
    double* to;  ///< three numbers for each
};

/// Copies lines from a list to some bodies: place, half and predicted.
struct ScatterArguments {
    std::uint64_t count;
    const std::uint32_t* body;
    const double* from;  ///< three lines for each
    BodyColumns lines;
};

/// Swaps the memory of some sides, one pair after another, by one thread.
struct SwapArguments {
    std::uint64_t threads;  ///< 1
    std::uint64_t count;
    const std::uint32_t* sides;  ///< two for each
    std::uint64_t columns;
    double* column[most_memory + 11];
};

/// Number k of fresh results.
inline std::int64_t fresh_result(std::size_t k) {
    constexpr std::int64_t most = 0x7FFFFFFFFFFFFFFF;
    const std::size_t part = k % slot_numbers;
    return part < 3 ? most : part == 6 ? 0 : -most;
}

}  // namespace beadwave::packing::on_device
