// The packings' vector code for the instruction set that every processor of the architecture has.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET packing_baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_EMU128
#else
#define HWY_TARGET HWY_NEON
#endif
#include "packing_target.inl.hpp"
