// The laws and the tiles' steps, compiled for BEADWAVE_TARGET.
//
// The compiler gives a template the instruction set in force where it is defined. So the laws are
// included after HWY_BEFORE_NAMESPACE, and all of the standard library before it: what the linker
// shares between files must run everywhere.

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

#include "tiled_rest.inl.hpp"

#include "tiled_rates.inl.hpp"

#include "tiled_kernels.inl.hpp"
HWY_AFTER_NAMESPACE();
// clang-format on
