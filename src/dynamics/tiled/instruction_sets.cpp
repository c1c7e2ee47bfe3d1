#include "tiled_kernel.hpp"

#include <hwy/detect_compiler_arch.h>

#include <vector>

namespace beadwave::dynamics {

namespace avx512 {
InstructionSet instruction_set(const char* name);
}
namespace avx2 {
InstructionSet instruction_set(const char* name);
}
namespace baseline {
InstructionSet instruction_set(const char* name);
}

std::span<const InstructionSet> instruction_sets() {
    static const std::vector<InstructionSet> sets = [] {
        std::vector<InstructionSet> list;
#if HWY_ARCH_X86
        __builtin_cpu_init();
        const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
        const bool skylake_server =
            haswell && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw");
        if (skylake_server) list.push_back(avx512::instruction_set("AVX-512"));
        if (haswell) list.push_back(avx2::instruction_set("AVX2"));
        list.push_back(baseline::instruction_set("baseline"));
#else
        list.push_back(baseline::instruction_set("NEON"));
#endif
        return list;
    }();
    return sets;
}

}  // namespace beadwave::dynamics
