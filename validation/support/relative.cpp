#include "relative.hpp"

namespace beadwave::validation {

namespace {

void counted(const char* file, int line, const char* macro, bool passed) {
    doctest::detail::decomp_assert(doctest::assertType::DT_CHECK, file, line, macro,
                                   doctest::detail::Result(passed, passed ? "true" : "false"));
}

}  // namespace

void check_relative(const char* file, int line, const char* text, double value, double expected,
                    double tolerance) {
    constexpr const char* macro = "CHECK_RELATIVE";
    if (within(value, expected, tolerance)) return counted(file, line, macro, true);
    INFO(text, " = ", value, ", expected ", expected, " within ", tolerance, " relative; off by ",
         value / expected - 1.0);
    counted(file, line, macro, false);
}

void check_absolute(const char* file, int line, const char* text, double value, double expected,
                    double tolerance) {
    constexpr const char* macro = "CHECK_ABSOLUTE";
    if (std::abs(value - expected) <= tolerance) return counted(file, line, macro, true);
    INFO(text, " = ", value, ", expected ", expected, " within ", tolerance);
    counted(file, line, macro, false);
}

}  // namespace beadwave::validation
