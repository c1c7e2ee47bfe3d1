// Whether the tests are built with a sanitizer. Arithmetic then takes ten or thirty times as long.
#pragma once

namespace beadwave::validation {

/// For doctest::skip: long runs whose results the optimised build checks. A sanitizer sees nothing
/// in their millionth step that it does not see in the first ones, and these run with every
/// scenario of configs/ in the test `python: same_bits`.
/// Of cases that run the same code with other numbers, one is enough there.
#ifdef BEADWAVE_SANITISED
inline constexpr bool sanitised = true;
#else
inline constexpr bool sanitised = false;
#endif

}  // namespace beadwave::validation
