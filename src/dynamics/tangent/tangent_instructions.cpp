#include "dynamics/tiled/for_this_processor.hpp"
#include "tangent_kernel.hpp"

namespace beadwave::dynamics {

namespace tangent_avx512 {
TangentInstructions tangent_instructions(const char* name);
}
namespace tangent_avx2 {
TangentInstructions tangent_instructions(const char* name);
}
namespace tangent_baseline {
TangentInstructions tangent_instructions(const char* name);
}

std::span<const TangentInstructions> tangent_instructions() {
#if HWY_ARCH_X86
    static const auto sets =
        for_this_processor(tangent_avx512::tangent_instructions, tangent_avx2::tangent_instructions,
                           tangent_baseline::tangent_instructions);
#else  // the others are not compiled
    static const auto sets = for_this_processor<TangentInstructions>(
        nullptr, nullptr, tangent_baseline::tangent_instructions);
#endif
    return sets;
}

}  // namespace beadwave::dynamics
