#include "simd/instruction_sets.hpp"

#include "built_sets.hpp"
#include "simd/processor.hpp"
#include "simd/widest_set.hpp"

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace beadwave::simd {
namespace {

/// The instruction sets that are compiled and that this processor has.
std::vector<InstructionSet> usable() {
    std::vector<InstructionSet> sets;
#ifdef __x86_64__
    if (BEADWAVE_HAS_AVX512 && has_avx512()) sets.push_back({Target::avx512, "AVX-512", true});
    if (BEADWAVE_HAS_AVX2 && has_avx2()) sets.push_back({Target::avx2, "AVX2", true});
    if (!has_sse4())
        throw std::runtime_error(
            "this processor has no SSE4.2, which beadwave needs (processors have it since 2011)");
    if (BEADWAVE_HAS_BASELINE) sets.push_back({Target::baseline, "baseline", false});
    if (sets.empty())
        throw std::runtime_error(
            "this processor lacks the instruction set that beadwave was compiled for");
#else
    sets.push_back({Target::baseline, "NEON", true});
#endif
    return sets;
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
    static const std::vector<InstructionSet> all = usable();
    static const std::span<const InstructionSet> sets = [] {
        constexpr const char* variable = "BEADWAVE_INSTRUCTION_SET";
        const char* const widest = std::getenv(variable);
        return widest == nullptr ? std::span<const InstructionSet>(all)
                                 : sets_up_to(widest, all, variable);
    }();
    return sets;
}

}  // namespace beadwave::simd
