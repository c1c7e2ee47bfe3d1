// The laws and the steps of the tiles, compiled for BEADWAVE_TARGET.
//
// The compiler compiles a template for the instruction set that is active where it is defined. So
// the laws are included after HWY_BEFORE_NAMESPACE. The standard library is included before it,
// because code that the linker shares between files must run on every processor.

#include "tiled_kernel.hpp"

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

// The order of these is the order of compilation.
// clang-format off
HWY_BEFORE_NAMESPACE();
#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/slopes.hpp"

#include "vector_number.inl.hpp"

#include "vector_pair.inl.hpp"

#include "tiled_step.inl.hpp"

#include "tiled_sleep.inl.hpp"

#include "tiled_slopes.inl.hpp"

#include "tiled_kernels.inl.hpp"
HWY_AFTER_NAMESPACE();
// clang-format on
