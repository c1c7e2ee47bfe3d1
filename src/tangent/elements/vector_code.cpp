// The vector code of what beads carry in the tangent engine, compiled once per instruction set.

#include "tangent_element_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "beadwave/laws/pair_law.hpp"

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "tangent/tangent_number.inl.hpp"
#include "tangent/passage.inl.hpp"
#include "tangent_element_step.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
TangentElementKernel tangent_element_kernel<simd::Target::BEADWAVE_TARGET>() {
    using namespace tangent::BEADWAVE_TARGET;
    return {.init = &init_elements, .step = &step_elements};
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
