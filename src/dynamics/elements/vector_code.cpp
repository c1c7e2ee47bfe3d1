// The vector code of springs to the ground and resonators, compiled once per instruction set.

#include "element_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "beadwave/laws/pair_law.hpp"

namespace beadwave::dynamics::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "element_beads.inl.hpp"
#include "element_step.inl.hpp"
#include "element_advance.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
ElementKernel element_kernel<simd::Target::BEADWAVE_TARGET>() {
    using namespace BEADWAVE_TARGET;
    return {.init = &init_elements,
            .start = &start_elements,
            .begin_step = &begin_element_step,
            .end_step = &end_element_step,
            .at_rest = &elements_at_rest,
            .finite = &elements_finite};
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
