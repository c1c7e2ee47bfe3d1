#include "simd/instruction_sets.hpp"

#include <stdexcept>
#include <vector>

namespace beadwave::simd {
namespace {

std::vector<InstructionSet> of_this_processor() {
#ifdef __x86_64__
    __builtin_cpu_init();
    const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool skylake_server =
        haswell && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw");
    if (!__builtin_cpu_supports("sse4.2"))
        throw std::runtime_error(
            "this processor has no SSE4.2, which beadwave needs (processors have it since 2011)");
    std::vector<InstructionSet> sets;
    if (skylake_server) sets.push_back({Target::avx512, "AVX-512", true});
    if (haswell) sets.push_back({Target::avx2, "AVX2", true});
    sets.push_back({Target::baseline, "baseline", false});
    return sets;
#else
    return {{Target::baseline, "NEON", true}};
#endif
}

}  // namespace

std::span<const InstructionSet> instruction_sets() {
    static const std::vector<InstructionSet> sets = of_this_processor();
    return sets;
}

}  // namespace beadwave::simd
