// The vector code of the mixed-precision step of packings, compiled once per instruction set.

#include "mixed_kernel.hpp"

// These must be included in this order.
// clang-format off
#include "simd/begin_vector_code.hpp"
#include "simd/float_number.inl.hpp"
#include "laws/tangential/any_slider.hpp"
#include "packing/contacts/pair_kinematics.hpp"

namespace beadwave::packing::BEADWAVE_TARGET {
using namespace simd::BEADWAVE_TARGET;
}

#include "packing/fast/packing_lines.inl.hpp"
#include "packing/fast/packing_box.inl.hpp"
#include "packing/fast/packing_kick.inl.hpp"
#include "packing/fast/packing_parameters.inl.hpp"
#include "packing/fast/packing_prefetch.inl.hpp"
#include "packing/fast/packing_batch.inl.hpp"
#include "packing/fast/packing_roll.inl.hpp"
#include "mixed_lines.inl.hpp"
#include "mixed_place.inl.hpp"
#include "mixed_slide.inl.hpp"
// clang-format on

namespace beadwave::packing {

template <>
MixedKernel mixed_kernel<simd::Target::BEADWAVE_TARGET>(std::size_t slider) {
    using namespace BEADWAVE_TARGET;
    MixedKernel kernel{
        .place = nullptr, .slide = nullptr, .kick = &mixed_kick, .push = &mixed_push};
    with_law<laws::AnySlider, FloatRegister>(slider, [&]<class Slider>() {
        kernel.place = &mixed_place<Slider>;
        kernel.slide = &mixed_slide<Slider>;
    });
    return kernel;
}

}  // namespace beadwave::packing

#include "simd/end_vector_code.hpp"
