// The vector code of the fast packing engine: the laws and the steps of blocks of pairs, compiled
// once per instruction set.

#include "packing_kernel.hpp"

#include <bit>

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "simd/lane_numbers.inl.hpp"
#include "laws/law_list.hpp"
#include "beadwave/laws/expression/batch.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/contacts/pair_kinematics.hpp"

namespace beadwave::packing::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "packing_lines.inl.hpp"
#include "packing_box.inl.hpp"
#include "packing_kick.inl.hpp"
#include "packing_near.inl.hpp"
#include "packing_parameters.inl.hpp"
#include "packing_prefetch.inl.hpp"
#include "packing_batch.inl.hpp"
#include "packing_roll.inl.hpp"
#include "packing_step.inl.hpp"
#include "packing_slide.inl.hpp"
// clang-format on

namespace beadwave::packing {

template <>
PackingKernel packing_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t law, std::size_t slider) {
    using namespace BEADWAVE_TARGET;
    PackingKernel kernel{.place = nullptr,
                         .normal = nullptr,
                         .slide = nullptr,
                         .kick = &kick,
                         .push = &push,
                         .find_near = &find_near};
    with_law<laws::LawList, Vector>(law, [&]<class Law>() { kernel.normal = &normal<Law>; });
    with_law<laws::AnySlider, Register>(slider, [&]<class Slider>() {
        kernel.place = &place<Slider>;
        kernel.slide = &slide<Slider>;
    });
    return kernel;
}

}  // namespace beadwave::packing

#include "simd/end_vector_code.hpp"
