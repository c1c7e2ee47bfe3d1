// The tiles' vector code for the minimal instruction set: NEON on ARM, SSE4 on x86, which all
// processors since 2011 have.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_SSE4
#else
#define HWY_TARGET HWY_NEON
#endif
#include "tiled_target.inl.hpp"
