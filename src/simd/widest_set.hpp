// A limit on the instruction set, so that any machine computes what an older processor computes.
#pragma once

#include "simd/instruction_sets.hpp"

#include <string_view>

namespace beadwave::simd {

/// `sets` (the fastest first) without those that are faster than the set called `widest`: avx512,
/// avx2 or baseline. Throws InputError, which names `variable`, if no set of `sets` is called so:
/// the word is wrong, or this processor or this build lacks the set.
std::span<const InstructionSet> sets_up_to(std::string_view widest,
                                           std::span<const InstructionSet> sets,
                                           std::string_view variable);

}  // namespace beadwave::simd
