// Opens the vector code of an engine, a file vector_code.cpp, which the build compiles once per
// instruction set. What follows, up to end_vector_code.hpp, belongs to the one that BEADWAVE_TARGET
// names (simd::Target) and BEADWAVE_HWY_TARGET names for Highway.
//
// The compiler compiles a template for the instruction set that is active where it is defined. So
// the laws are included after this file. The standard library is included before, because code that
// the linker shares between files must run on every processor; so is the interface of the engine.
//
// Vector types and the engine's own code are in a namespace BEADWAVE_TARGET of their part, so that
// the linker cannot confuse those of two instruction sets.

#include <hwy/detect_targets.h>
#undef HWY_TARGET
#define HWY_TARGET BEADWAVE_HWY_TARGET

#include "simd/instruction_sets.hpp"

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
#include "simd/vector_number.inl.hpp"
#include "simd/vector_power.inl.hpp"
#include "simd/vector_angle.inl.hpp"
#include "simd/vector_pair.inl.hpp"
#include "simd/vector_triple.inl.hpp"
#include "simd/records.inl.hpp"
// clang-format on
