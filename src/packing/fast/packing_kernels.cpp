#include "dynamics/tiled/for_this_processor.hpp"
#include "packing_kernel.hpp"

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
#if HWY_ARCH_X86
    static const auto kernels = dynamics::for_this_processor(
        dynamics::packing_avx512::packing_kernel, dynamics::packing_avx2::packing_kernel,
        dynamics::packing_baseline::packing_kernel);
#else  // the others are not compiled
    static const auto kernels = dynamics::for_this_processor<PackingKernel>(
        nullptr, nullptr, dynamics::packing_baseline::packing_kernel);
#endif
    return kernels;
}

}  // namespace beadwave::packing
