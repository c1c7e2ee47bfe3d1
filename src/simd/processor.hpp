// The instruction sets of this processor. Also for CMake (cmake/best_instruction_set.cpp), so it
// includes nothing.
#pragma once

namespace beadwave::simd {

#ifdef __x86_64__
inline bool has_sse4() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2");
}

inline bool has_avx2() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

inline bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw");
}
#endif

}  // namespace beadwave::simd
