// The vector code of chains that step together, compiled once per instruction set.

#include "lane_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "laws/law_list.hpp"
#include "laws/elastic_phase.hpp"

namespace beadwave::dynamics::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "lane_step.inl.hpp"
// clang-format on

namespace beadwave::dynamics {

template <>
LaneKernel lane_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t law) {
    using namespace BEADWAVE_TARGET;
    LaneKernel kernel;
    with_law<laws::LawList, Vector>(law, [&]<class Law>() {
        kernel = {chains_at_once, beads_at_once, uses_speed<Law>, [](LaneTask& task) {
                      task.uniform ? advance_lanes<Law, true>(task)
                                   : advance_lanes<Law, false>(task);
                  }};
    });
    return kernel;
}

}  // namespace beadwave::dynamics

#include "simd/end_vector_code.hpp"
