// Which versions of the vector code this processor can run, the fastest first.
#pragma once

#include <hwy/detect_compiler_arch.h>

#include <stdexcept>
#include <vector>

namespace beadwave::dynamics {

/// Calls the maker of each version that this processor can run with the version's name, and returns
/// the results. Makers of versions that do not exist on the target of the compiler are not called
/// and may be null. Throws std::runtime_error if the processor can run none of them.
template <class Made>
std::vector<Made> for_this_processor([[maybe_unused]] Made (*avx512)(const char* name),
                                     [[maybe_unused]] Made (*avx2)(const char* name),
                                     Made (*baseline)(const char* name)) {
    std::vector<Made> list;
#if HWY_ARCH_X86
    __builtin_cpu_init();
    const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool skylake_server =
        haswell && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw");
    if (skylake_server) list.push_back(avx512("AVX-512"));
    if (haswell) list.push_back(avx2("AVX2"));
    if (!__builtin_cpu_supports("sse4.2"))
        throw std::runtime_error(
            "this processor has no SSE4.2, which beadwave needs (processors have it since 2011)");
    list.push_back(baseline("baseline"));
#else
    list.push_back(baseline("NEON"));
#endif
    return list;
}

}  // namespace beadwave::dynamics
