// The functions of the vector types on arrays of numbers, for each instruction set.
#pragma once

#include "simd/instruction_sets.hpp"

#include <cstddef>

namespace beadwave::validation {

/// `count` is a multiple of simd::most_lanes.
using NumberFunction = void (*)(const double* x, double* y, std::size_t count);
struct NumberFunctions {
    NumberFunction power_3_2, sqrt, root, log, cbrt, exp, expm1;
};

/// Of two vectors, lane by lane; conditions give 1 or 0.
using PairFunction = void (*)(const double* x, const double* y, double* z, std::size_t count);
struct PairFunctions {
    PairFunction less, greater, less_equal, greater_equal, equal, not_equal;
    PairFunction not_less, not_greater;  ///< the negations
    PairFunction max, min, copysign, ratio, angle_above;
    PairFunction pow, parameter_power;
    PairFunction first_power, second_power;  ///< x^y and x^(y/2) of parameter_powers
    // Of overlap and approach speed, with the fields below: JKR's force and next memory where a
    // neck holds and where the contact is open; Jian's force, and without tension.
    PairFunction jkr_force, jkr_open_force, jkr_neck, jkr_open_neck;
    PairFunction jian_force, jian_pushing_force;
};
inline constexpr double jkr_fields[] = {1.0, 1.0, 0.3};
inline constexpr double jian_fields[] = {5e9, 3e3, 6e4, 0.8, -1e300};
inline constexpr double jian_pushing_fields[] = {5e9, 3e3, 6e4, 0.8, 0.0};

/// Defined by vector_code.cpp for each instruction set.
template <simd::Target>
NumberFunctions number_functions();
template <simd::Target>
PairFunctions pair_functions();

}  // namespace beadwave::validation
