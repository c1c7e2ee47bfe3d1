// The tangent engine's vector code for the instruction set that every processor of the architecture
// has.

#include <hwy/detect_targets.h>

#define BEADWAVE_TARGET tangent_baseline
#undef HWY_TARGET
#if HWY_ARCH_X86
#define HWY_TARGET HWY_EMU128
#else
#define HWY_TARGET HWY_NEON
#endif
#include "tangent_target.inl.hpp"
