// Overlaps and first gaps of many pairs at a time: their numbers are gathered into columns, and the
// loops over these are vector code with the bits of a pair alone.
#pragma once

#include "bodies.hpp"
#include "pair_entries.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace beadwave::packing {

/// Pairs that pass through these loops together.
inline constexpr std::size_t pairs_at_a_time = 128;

/// The overlaps of up to pairs_at_a_time entries, from the places of the bodies now [m].
void find_overlaps(const Bodies& bodies, const PairEntries& entries,
                   std::span<const std::uint32_t> some, double* overlap);

/// The gaps of pairs of particles and images of the entries from `begin` to `end`, as if they were
/// new, from the references of the bodies [m].
void find_first_gaps(const Bodies& bodies, PairEntries& entries, std::size_t begin,
                     std::size_t end);

}  // namespace beadwave::packing
