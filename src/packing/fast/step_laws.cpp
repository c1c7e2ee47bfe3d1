#include "step_laws.hpp"

#include "simd/for_target.hpp"

#include <variant>

namespace beadwave::packing {

StepLaws::StepLaws(const Packing& packing, const simd::InstructionSet& instructions)
    : pairs(packing),
      kernel(simd::for_target(instructions.target,
                              [&]<simd::Target target>() {
                                  return packing_kernel<target>(pairs.normal().index(),
                                                                pairs.slider().index());
                              })),
      traits(pairs.normal().traits()),
      slider(pairs.slider()),
      slides(!std::holds_alternative<laws::NoSlider<double>>(slider)),
      rolls(packing.rolling.acts()) {}

}  // namespace beadwave::packing
