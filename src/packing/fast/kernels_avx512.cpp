// The packings' vector code for AVX512.

#include <hwy/detect_targets.h>

#if HWY_ARCH_X86
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3
#define BEADWAVE_TARGET packing_avx512
#include "packing_target.inl.hpp"
#endif
