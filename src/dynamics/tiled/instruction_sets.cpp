#include "for_this_processor.hpp"
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
#if HWY_ARCH_X86
    static const auto sets = for_this_processor(avx512::instruction_set, avx2::instruction_set,
                                                baseline::instruction_set);
#else  // the others are not compiled
    static const auto sets =
        for_this_processor<InstructionSet>(nullptr, nullptr, baseline::instruction_set);
#endif
    return sets;
}

}  // namespace beadwave::dynamics
