// The only comparisons of numbers in the tests. doctest's Approx has scale 1: its tolerance is
// absolute near zero, so that comparisons of overlaps and contact times in SI units never fail.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

namespace beadwave::validation {

inline bool within(double value, double expected, double relative_tolerance) {
    return std::abs(value - expected) <= relative_tolerance * std::abs(expected);
}

}  // namespace beadwave::validation

/// value equals expected within a relative tolerance; both are shown on failure.
#define CHECK_RELATIVE(value, expected, tolerance)                                          \
    do {                                                                                    \
        const double check_value = (value);                                                 \
        const double check_expected = (expected);                                           \
        CHECK_MESSAGE(beadwave::validation::within(check_value, check_expected, tolerance), \
                      #value " = ", check_value, ", expected ", check_expected, " within ", \
                      tolerance, " relative; off by ", check_value / check_expected - 1.0); \
    } while (false)

/// value equals expected within an absolute tolerance in the unit of both.
#define CHECK_ABSOLUTE(value, expected, tolerance)                                         \
    do {                                                                                   \
        const double check_value = (value);                                                \
        const double check_expected = (expected);                                          \
        CHECK_MESSAGE(std::abs(check_value - check_expected) <= (tolerance), #value " = ", \
                      check_value, ", expected ", check_expected, " within ", tolerance);  \
    } while (false)
