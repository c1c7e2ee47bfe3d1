// The vector code of the tiled engine: the laws and the steps of the tiles, compiled once per
// instruction set.

#include "../elements/element_kernel.hpp"
#include "tiled_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "laws/law_list.hpp"
#include "beadwave/laws/slopes.hpp"

namespace beadwave::dynamics::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "../elements/element_beads.inl.hpp"
#include "tiled_step.inl.hpp"
#include "tiled_advance.inl.hpp"
#include "tiled_sleep.inl.hpp"
#include "tiled_slopes.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
Kernel tiled_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t law) {
    using namespace BEADWAVE_TARGET;
    Kernel kernel;
    with_law<laws::LawList, Vector>(law, [&]<class Law>() {
        static_assert(laws::field_count<typename Law::Memory> <= simd::most_fields);
        kernel = {&init_forces<Law>, &init_half_step<Law>, &advance_task<Law>, &scan<Law>,
                  &row_slopes<Law>};
    });
    return kernel;
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
