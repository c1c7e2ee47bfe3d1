#include "laws/line/line_makers.hpp"

#include "beadwave/argument_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace beadwave::laws::line {
namespace {

using std::numbers::pi;

/// Goldsmith, Dubowsky-Freudenstein and ESDU print h = (1 - nu^2)/E; their sources have
/// (1 - nu^2)/(pi E), which divides the compliance by pi.
LineSpring goldsmith_form(const LineContact& c, const Settings& s, double force_scale) {
    const double factor = s.is("compliance", "over-pi") ? pi : 1.0;
    return LogarithmicLine{.compliance = 1.0 / (factor * c.modulus * c.length),
                           .force_scale = factor * force_scale,
                           .offset = 1.0};
}

/// n of Table 3 for a pin in a hole; the clearance in mm.
double pereira_exponent(double clearance) {
    if (!(clearance >= 0.005 && clearance <= 10.0)) {
        throw ArgumentError(
            fmt::format("pereira is fitted to clearances from 0.005 mm to 10 mm; that of this pin "
                        "and hole is {:.4g} mm",
                        clearance));
    }
    const double y = clearance < 0.34954 ? 1.51 * std::pow(std::log(1000.0 * clearance), -0.151)
                                         : 0.0151 * clearance + 1.151;
    return y * std::pow(clearance, -0.005);
}

}  // namespace

LineSpring hertz(const LineContact& c, const Settings&) {
    const double EL = c.modulus * c.length;
    return LogarithmicLine{.compliance = 2.0 / (pi * EL),
                           .force_scale = pi * EL * c.radius_difference,
                           .offset = -1.0};
}

LineSpring johnson(const LineContact& c, const Settings&) {
    const double EL = c.modulus * c.length;
    return LogarithmicLine{.compliance = 1.0 / (pi * EL),
                           .force_scale = 4.0 * pi * EL * c.radius_difference,
                           .offset = -1.0};
}

LineSpring radzimovsky(const LineContact& c, const Settings& s) {
    const double EL = c.modulus * c.length;
    const double b0 = s.number("b0");
    const double eight = s.is("form", "eq37") ? 16.0 : 8.0;
    return LogarithmicLine{.compliance = 1.0 / (pi * EL),
                           .force_scale = eight * EL * c.radius_difference / (b0 * b0),
                           .offset = 2.0 / 3.0};
}

LineSpring goldsmith(const LineContact& c, const Settings& s) {
    const double curvature = s.is("curvature", "radius") ? c.radius : 1.0 / c.radius_difference;
    return goldsmith_form(c, s,
                          c.modulus * std::pow(c.length, s.number("length_power")) / curvature);
}

LineSpring dubowsky_freudenstein(const LineContact& c, const Settings& s) {
    return goldsmith_form(c, s,
                          c.modulus * std::pow(c.length, s.number("length_power")) / c.radius);
}

LineSpring esdu_78035(const LineContact& c, const Settings& s) {
    return goldsmith_form(c, s, 4.0 * c.modulus * c.length * c.radius_difference);
}

LineSpring liu(const LineContact& c, const Settings&) {
    return LiuLine{.modulus_length = c.modulus * c.length,
                   .radius_difference = c.radius_difference};
}

LineSpring persson(const LineContact& c, const Settings& s) {
    return PerssonLine{.modulus_length = s.number("modulus_factor") * c.modulus * c.length,
                       .radius_difference = c.radius_difference,
                       .full = s.is("denominator", "full")};
}

LineSpring pereira(const LineContact& c, const Settings&) {
    const double millimetre = 1e-3;
    const double difference = c.radius_difference / millimetre;
    const double a = c.internal ? 0.965 : 0.39;
    const double b = c.internal ? 0.0965 : 0.85;
    const double n = c.internal ? pereira_exponent(difference) : 1.094;
    const double length = c.length / millimetre;
    const double modulus = c.modulus * 1e-6;
    const double per_mm = (a + b / difference) * length * modulus;  // [N/mm^n]
    return PowerLine{.stiffness = per_mm * std::pow(millimetre, -n), .exponent = n};
}

LineSpring lankarani_nikravesh(const LineContact& c, const Settings& s) {
    return PowerLine{.stiffness = hertz_stiffness(c.modulus, c.radius),
                     .exponent = s.number("exponent")};
}

}  // namespace beadwave::laws::line
