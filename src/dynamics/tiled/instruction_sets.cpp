#include <hwy/targets.h>

#include <vector>

#include "tiled_kernel.hpp"

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
        const auto supported = hwy::SupportedTargets();
        if ((supported & HWY_AVX3) != 0) list.push_back(avx512::instruction_set("AVX-512"));
        if ((supported & HWY_AVX2) != 0) list.push_back(avx2::instruction_set("AVX2"));
        list.push_back(baseline::instruction_set("baseline"));
#else
        list.push_back(baseline::instruction_set("NEON"));
#endif
        return list;
    }();
    return sets;
}

}  // namespace beadwave::dynamics
