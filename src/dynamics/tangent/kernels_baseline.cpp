// The tangent engine's vector code for the minimal instruction set.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET tangent_baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_SSE4
#else
#define HWY_TARGET HWY_NEON
#endif
#include "tangent_target.inl.hpp"
