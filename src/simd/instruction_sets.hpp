// The instruction sets that the vector code is compiled for, and those of this processor.
#pragma once

#include <cstddef>
#include <span>

namespace beadwave::simd {

/// An instruction set; `baseline` is SSE4 on x86, which all processors since 2011 have, and NEON on
/// ARM, where the others do not exist.
enum class Target { avx512, avx2, baseline };

struct InstructionSet {
    Target target;
    const char* name;
    bool fused;  ///< has fused multiplication and addition, with one rounding
};

/// The instruction sets of this processor that the vector code is compiled for, the fastest first.
/// Never empty. Throws std::runtime_error if the processor has none of them.
std::span<const InstructionSet> instruction_sets();

/// Numbers of a pair of the widest registers. Columns for vector code have a multiple of it.
inline constexpr std::size_t most_lanes = 16;

/// Largest number of fields of a law or of its memory.
inline constexpr std::size_t most_fields = 32;

}  // namespace beadwave::simd
