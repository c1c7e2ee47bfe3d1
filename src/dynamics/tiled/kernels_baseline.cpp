// The tiles' vector code for the instruction set that every processor of the architecture has: NEON
// on ARM, pairs of numbers on x86.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_EMU128
#else
#define HWY_TARGET HWY_NEON
#endif
#include "tiled_target.inl.hpp"
