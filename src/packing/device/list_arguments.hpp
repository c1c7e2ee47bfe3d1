// What the kernels that build neighbour lists get. A list has the pairs, and their order, of the
// fast engine's (neighbour_list.cpp, fast_packing_layout.cpp): each particle finds its neighbours
// among cells, and sorts them by what places them in their block's entries.
#pragma once

#include "step_arguments.hpp"

namespace beadwave::packing::on_device {

/// Neighbours of a particle while a list is built; with more the host builds it.
inline constexpr std::size_t most_neighbours = 40;
inline constexpr std::uint32_t is_wall = 0x80000000U;  ///< of a partner: the number of a wall

/// Who is who in a list: columns of sides.
struct Identity {
    std::uint32_t* partner;  ///< number of the other particle, or is_wall and that of a wall
    std::uint64_t* image;    ///< packed_image() of the second body; null: nothing repeats
};

/// A pair with a wall that the host has found.
struct WallSide {
    std::uint32_t wall;
    std::uint32_t body;  ///< the ghost
    std::uint32_t row;   ///< of the parameters
    std::uint32_t force_row;
    double gap;  ///< as if the pair were new [m]
};

struct ListArguments {
    std::uint64_t particles;
    // The particles in their new order.
    const std::uint32_t* id;
    const std::uint32_t* slot_of;      ///< of each number
    const std::uint32_t* old_slot_of;  ///< of each number
    const std::uint8_t* flags;         ///< of each number: 1 held, 2 absent
    const std::uint32_t* kind;         ///< of each number; null: all are of one
    const std::uint32_t* row_of_kinds;
    std::uint32_t kinds;
    const double* place;  ///< lines
    double skin;          ///< [m]
    double edge[3], lower[3], scale[3];
    double by[3];  ///< so far to each side are the cells of neighbours [m]
    std::uint32_t periodic[3];
    std::int64_t cells[3];
    std::uint32_t* cell;        ///< of each particle
    std::int32_t* periods;      ///< three of each particle
    std::uint32_t* cell_begin;  ///< of each cell, and the end
    std::uint32_t* cell_next;
    std::uint32_t* members;

    // Neighbours as they are found: number k of particle i is at k particles + i. Sorted by slot,
    // then image.
    std::uint32_t* found;
    std::uint64_t* found_image;
    std::uint32_t* count;     ///< neighbours of each particle
    std::uint32_t* upper;     ///< neighbours behind it
    std::uint32_t* external;  ///< neighbours before it in another block
    std::uint32_t* ghosts;    ///< neighbours that are images, or for which it is one
    std::uint32_t* overflow;  ///< 1: a particle has too many neighbours

    // Sums of these, by the host.
    const std::uint32_t* upper_before;     ///< of the particles before it in its block
    const std::uint32_t* external_before;  ///< of all particles before it
    const std::uint32_t* external_begin;   ///< of each block
    const std::uint32_t* block_pairs;      ///< of each block, without walls
    const std::uint32_t* ghosts_before;    ///< of all particles before it
    std::uint64_t externals;
    std::uint32_t* external_first;
    std::uint32_t* external_second;
    std::uint64_t* external_image;
    std::uint32_t* external_rank;

    // The new rows.
    const std::uint32_t* wall_begin;  ///< of each particle, and the end; null: no walls
    const WallSide* wall_sides;
    std::uint64_t first_image;  ///< body of the first image
    const std::uint32_t* slice_begin;
    std::uint32_t* sides;  ///< count of each particle, walls too
    std::uint32_t* other;
    std::uint32_t* self;
    std::uint32_t* row;  ///< null: one row
    double* gap;
    double* memory[most_memory + 11];
    Identity identity;
    double* image_place[2];  ///< the lines of all bodies, on both sides
    std::uint32_t* image_of;
    std::uint32_t* image_ghost;

    // The old rows, with the lines of their bodies before their references moved.
    const double* old_place;
    Sides old;
    const double* old_memory[most_memory + 11];
    Identity old_identity;
    std::uint32_t columns;
    std::uint32_t signs;         ///< bit c: the numbers of column c turn round with the pair
    std::int64_t* deepest_wall;  ///< the largest old overlap with a wall over the radius, ordered()
};

/// Copies numbers.
struct CopyArguments {
    std::uint64_t numbers;
    const double* from;
    double* to;
};

/// Moves the lines of particles to their new places.
struct PermuteArguments {
    std::uint64_t particles;
    const std::uint32_t* id;
    const std::uint32_t* old_slot_of;
    std::uint32_t width;
    const double* from;
    double* to;
};

}  // namespace beadwave::packing::on_device
