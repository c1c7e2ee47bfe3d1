// The tangent engine's vector code for AVX2.

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX2
#define BEADWAVE_TARGET tangent_avx2
#include "tangent_target.inl.hpp"
#endif
