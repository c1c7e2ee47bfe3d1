// The tangent engine's vector code for AVX-512.

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3
#define BEADWAVE_TARGET tangent_avx512
#include "tangent_target.inl.hpp"
#endif
