#include "beadwave/laws/monotone_curve.hpp"

// Boost 1.74's pchip calls isnan without std::, so <math.h> must come first.
// clang-format off
#include <math.h>  // NOLINT
#include <boost/math/interpolators/pchip.hpp>
// clang-format on

#include <algorithm>
#include <cmath>

namespace beadwave::laws {

struct MonotoneCurve::Interpolant {
    boost::math::interpolators::pchip<std::vector<double>> at;
};

MonotoneCurve::MonotoneCurve(std::vector<double> x, std::vector<double> y) : knots_(x) {
    curve_ = std::make_shared<const Interpolant>(Interpolant{{std::move(x), std::move(y)}});
    integrals_.assign(knots_.size(), 0.0);
    for (std::size_t k = 1; k < knots_.size(); ++k) {
        integrals_[k] = 0.0;  // not known yet: integral() adds from the knot below
        integrals_[k] = integral(knots_[k]);
    }
}

double MonotoneCurve::inside(double x) const {
    return std::clamp(x, begin(), end());
}

double MonotoneCurve::operator()(double x) const {
    if (std::isnan(x)) return x;  // the interpolant would search its place
    return curve_->at(inside(x));
}

double MonotoneCurve::slope(double x) const {
    return curve_->at.prime(inside(x));
}

double MonotoneCurve::integral(double x) const {
    if (std::isnan(x)) return x;
    const double to = inside(x);
    const auto above = std::lower_bound(knots_.begin() + 1, knots_.end(), to);
    const auto below = static_cast<std::size_t>(above - knots_.begin()) - 1;
    // Two Gauss points are exact for the cubic between two knots.
    const double half = 0.5 * (to - knots_[below]);
    const double middle = knots_[below] + half;
    const double offset = half / std::sqrt(3.0);
    return integrals_[below] + half * (curve_->at(middle - offset) + curve_->at(middle + offset));
}

}  // namespace beadwave::laws
