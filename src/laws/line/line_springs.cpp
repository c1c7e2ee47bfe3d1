#include "beadwave/laws/line_springs.hpp"

#include "laws/root_between.hpp"

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/lambert_w.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwave::laws {
namespace {

using std::numbers::pi;

/// y = delta/(c F) >= 1 of the logarithmic form; infinity where the overlap is too small for a
/// double.
double lambert_ratio(const LogarithmicLine& line, double overlap) {
    const double argument = overlap / (line.compliance * line.force_scale * std::exp(line.offset));
    if (!(argument > 1e-300)) return std::numeric_limits<double>::infinity();
    const double most = std::exp(-1.0);  // rounding just below the largest overlap
    return -boost::math::lambert_wm1(-std::min(argument, most));
}

/// The integral of the force from zero overlap. With overlap = s^2 the integrand is smooth at zero
/// for every form.
template <class Line>
double work(const Line& line, double overlap) {
    const auto integrand = [&](double s) { return s > 0.0 ? 2.0 * s * line.force(s * s) : 0.0; };
    return boost::math::quadrature::gauss_kronrod<double, 31>::integrate(
        integrand, 0.0, std::sqrt(overlap), 10, 1e-13);
}

/// The denominator of Persson's force against b^2.
double persson_denominator(double b2) {
    return 2.0 - std::log1p(b2) - 2.0 * b2 * b2;
}

/// delta / Delta R where that denominator is zero.
double persson_limit() {
    const double b2 = root_between(persson_denominator, 0.5, 1.0);
    return 2.0 * b2 / (1.0 - b2);
}

}  // namespace

// ---- logarithmic ----

double LogarithmicLine::overlap(double force) const {
    return compliance * force * (std::log(force_scale / force) + offset);
}

double LogarithmicLine::force(double overlap) const {
    return overlap / (compliance * lambert_ratio(*this, overlap));
}

double LogarithmicLine::stored_energy(double overlap) const {
    const double y = lambert_ratio(*this, overlap);
    const double f = overlap / (compliance * y);
    return f > 0.0 ? compliance * f * f * (0.5 * y - 0.25) : 0.0;
}

double LogarithmicLine::largest_overlap() const {
    return compliance * force_scale * std::exp(offset - 1.0);
}

// ---- Liu ----

double LiuLine::force(double overlap) const {
    return 0.5 * pi * modulus_length * overlap *
           std::sqrt(overlap / (2.0 * (radius_difference + overlap)));
}

double LiuLine::stored_energy(double overlap) const {
    return work(*this, overlap);
}

// ---- Persson ----

double PerssonLine::force(double overlap) const {
    const double b2 = overlap / (2.0 * radius_difference + overlap);
    const double denominator = full ? persson_denominator(b2) : 2.0;
    return pi * modulus_length * radius_difference * (b2 + 1.0) * b2 / denominator;
}

double PerssonLine::stored_energy(double overlap) const {
    return work(*this, overlap);
}

double PerssonLine::largest_overlap() const {
    static const double limit = persson_limit();
    return full ? limit * radius_difference : std::numeric_limits<double>::infinity();
}

// ---- power ----

double PowerLine::force(double overlap) const {
    return stiffness * std::pow(overlap, exponent);
}

double PowerLine::stored_energy(double overlap) const {
    return force(overlap) * overlap / (exponent + 1.0);
}

}  // namespace beadwave::laws
