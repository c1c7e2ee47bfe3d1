// The laws and the packings' steps, compiled for BEADWAVE_TARGET. Like in
// dynamics/tiled/tiled_target.inl.hpp, laws are included after HWY_BEFORE_NAMESPACE and the
// standard library before it.

#include "dynamics/tiled/tiled_kernel.hpp"
#include "packing_kernel.hpp"

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

// These must be included in this order.
// clang-format off
HWY_BEFORE_NAMESPACE();
#include "beadwave/laws/any_law.hpp"
#include "laws/tangential/any_slider.hpp"

#include "dynamics/tiled/vector_number.inl.hpp"

#include "dynamics/tiled/vector_pair.inl.hpp"

#include "packing/pair_kinematics.hpp"

#include "packing_lines.inl.hpp"

#include "packing_kick.inl.hpp"

#include "packing_step.inl.hpp"
HWY_AFTER_NAMESPACE();
// clang-format on
