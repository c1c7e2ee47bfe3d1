#include "packing_kernel.hpp"

#include <hwy/detect_compiler_arch.h>

#include <vector>

namespace beadwave::dynamics {

namespace packing_avx512 {
packing::PackingKernel packing_kernel(const char* name);
}
namespace packing_avx2 {
packing::PackingKernel packing_kernel(const char* name);
}
namespace packing_baseline {
packing::PackingKernel packing_kernel(const char* name);
}

}  // namespace beadwave::dynamics

namespace beadwave::packing {

std::span<const PackingKernel> packing_kernels() {
    static const std::vector<PackingKernel> kernels = [] {
        std::vector<PackingKernel> list;
#if HWY_ARCH_X86
        __builtin_cpu_init();
        const bool haswell = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
        const bool skylake_server =
            haswell && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw");
        if (skylake_server) list.push_back(dynamics::packing_avx512::packing_kernel("AVX-512"));
        if (haswell) list.push_back(dynamics::packing_avx2::packing_kernel("AVX2"));
        list.push_back(dynamics::packing_baseline::packing_kernel("baseline"));
#else
        list.push_back(dynamics::packing_baseline::packing_kernel("NEON"));
#endif
        return list;
    }();
    return kernels;
}

}  // namespace beadwave::packing
