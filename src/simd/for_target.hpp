// Chooses among the vector code that is compiled. Only code that chooses includes this, so that a
// build with other instruction sets compiles nothing else again.
#pragma once

#include "built_sets.hpp"  // BEADWAVE_HAS_...; CMake writes it
#include "simd/instruction_sets.hpp"

#include <stdexcept>

namespace beadwave::simd {

/// The result of choose.operator()<target>() for one of instruction_sets().
template <class Choose>
auto for_target(Target target, Choose choose) {
#if BEADWAVE_HAS_AVX512
    if (target == Target::avx512) return choose.template operator()<Target::avx512>();
#endif
#if BEADWAVE_HAS_AVX2
    if (target == Target::avx2) return choose.template operator()<Target::avx2>();
#endif
#if BEADWAVE_HAS_BASELINE
    if (target == Target::baseline) return choose.template operator()<Target::baseline>();
#endif
    throw std::logic_error("vector code of an instruction set that is not compiled");
}

}  // namespace beadwave::simd
