// The packings' vector code for the minimal instruction set.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET packing_baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_SSE4
#else
#define HWY_TARGET HWY_NEON
#endif
#include "packing_target.inl.hpp"
