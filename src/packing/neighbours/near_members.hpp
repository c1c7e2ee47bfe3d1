// Interface between the search for neighbours and its vector code, which is compiled once per
// instruction set.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::packing {

/// Columns of particles in the order of their cells; behind the last are two unused vectors.
struct MemberColumns {
    const double *x, *y, *z, *radius;  ///< [m]
    const double* number;
};

/// Members that follow one another, and where they see the particle that looks at them [m]; those
/// whose numbers are above `above` count.
struct MemberRange {
    std::uint32_t begin, end;
    double x, y, z;
    double above;
    std::size_t found;  ///< out
};

/// Puts the members of the ranges whose centres are no further than their radius and `own` [m] into
/// `near`, in their order, and returns how many there are; there is room for all and for one vector
/// more.
using FindNearMembers = std::size_t (*)(const MemberColumns&, std::span<MemberRange> ranges,
                                        double own, std::uint32_t* near);

/// Defined by vector_code.cpp for each instruction set.
template <simd::Target>
FindNearMembers find_near_members();

}  // namespace beadwave::packing
