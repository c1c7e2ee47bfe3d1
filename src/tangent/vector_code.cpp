// The vector code of the tangent engine: the laws and the steps of a row with derivatives, compiled
// once per instruction set.

#include "tangent_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "laws/law_list.hpp"

namespace beadwave::dynamics::tangent::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "tangent_number.inl.hpp"
#include "tangent_columns.inl.hpp"
#include "passage.inl.hpp"
#include "tangent_jumps.inl.hpp"
#include "tangent_step.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
TangentKernel tangent_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t law) {
    using namespace tangent::BEADWAVE_TARGET;
    TangentKernel kernel;
    simd::BEADWAVE_TARGET::with_law<laws::LawList, Dual>(law, [&]<class Law>() {
        kernel = {&init_forces<Law>, &init_velocity_change, &init_half_step,
                  &step<Law>,        &apply_blows,          uses_speed<Law>};
    });
    return kernel;
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
