// The tiles' vector code for AVX-512 (F, VL, DQ, BW).

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3
#define BEADWAVE_TARGET avx512
#include "tiled_target.inl.hpp"
#endif
