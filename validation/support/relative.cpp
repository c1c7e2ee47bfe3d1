#include "relative.hpp"

namespace beadwave::validation {

namespace {

void counted(const char* file, int line, const char* text, bool passed) {
    doctest::detail::decomp_assert(doctest::assertType::DT_CHECK, file, line, text,
                                   doctest::detail::Result(passed, passed ? "true" : "false"));
}

}  // namespace

void check_relative(const char* file, int line, const char* text, double value, double expected,
                    double tolerance) {
    if (within(value, expected, tolerance)) return counted(file, line, text, true);
    INFO(doctest::String(text), " = ", value, ", expected ", expected, " within ", tolerance,
         " relative; off by ", value / expected - 1.0);
    counted(file, line, text, false);
}

void check_absolute(const char* file, int line, const char* text, double value, double expected,
                    double tolerance) {
    if (std::abs(value - expected) <= tolerance) return counted(file, line, text, true);
    INFO(doctest::String(text), " = ", value, ", expected ", expected, " within ", tolerance);
    counted(file, line, text, false);
}

}  // namespace beadwave::validation
