// The only comparisons of numbers in the tests. doctest's Approx has scale 1: its tolerance is
// absolute near zero, so that comparisons of overlaps and contact times in SI units never fail.
#pragma once

#include <doctest/doctest.h>

#include <cmath>

namespace beadwave::validation {

inline bool within(double value, double expected, double relative_tolerance) {
    return std::abs(value - expected) <= relative_tolerance * std::abs(expected);
}

/// Of the macros below. Functions: fourteen hundred messages that are written in place take a
/// third of the time of compiling the tests.
void check_relative(const char* file, int line, const char* text, double value, double expected,
                    double tolerance);
void check_absolute(const char* file, int line, const char* text, double value, double expected,
                    double tolerance);

}  // namespace beadwave::validation

/// value equals expected within a relative tolerance; both are shown on failure.
#define CHECK_RELATIVE(value, expected, tolerance) \
    ::beadwave::validation::check_relative(__FILE__, __LINE__, #value, value, expected, tolerance)

/// value equals expected within an absolute tolerance in the unit of both.
#define CHECK_ABSOLUTE(value, expected, tolerance) \
    ::beadwave::validation::check_absolute(__FILE__, __LINE__, #value, value, expected, tolerance)
