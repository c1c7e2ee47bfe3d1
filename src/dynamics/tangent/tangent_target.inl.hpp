// The laws and the steps of a row with derivatives, compiled for BEADWAVE_TARGET. The order of
// includes is that of tiled/tiled_target.inl.hpp: laws after HWY_BEFORE_NAMESPACE, the standard
// library before it.

#include "tangent_kernel.hpp"

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

#include "dynamics/tiled/vector_number.inl.hpp"

#include "dynamics/tiled/vector_pair.inl.hpp"

#include "tangent_number.inl.hpp"

#include "tangent_columns.inl.hpp"

#include "tangent_jumps.inl.hpp"

#include "tangent_step.inl.hpp"
HWY_AFTER_NAMESPACE();
// clang-format on
