// The tiles' vector code for the instruction set that every processor of the architecture has: NEON
// on ARM, pairs of numbers on x86.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET baseline
#if HWY_ARCH_X86
#undef HWY_TARGET
#define HWY_TARGET HWY_EMU128
#endif
#include "tiled_target.inl.hpp"
