// Parameter estimates and their uncertainties from the smallest sum of squares.
#pragma once

#include "fit/fit.hpp"
#include "fit/noise_groups.hpp"

#include <vector>

namespace beadwave::fit {

struct Estimates {
    std::vector<Estimate> estimates;
    std::vector<double> correlation;  ///< p x p; NaN where unknown
    std::vector<bool> fitted;         ///< whether the data moved the parameter: it has an effect of
                                      ///< its own and is not at a bound
    std::size_t effective;            ///< number of parameters with an effect of their own
};

/// `noise`: standard deviation of a weighted residual. `spreads`: one per parameter. `covariance`:
/// p x p, in the units of the keys, in place of that of white noise; empty: there is none.
Estimates estimate_parameters(const std::vector<FreeParameter>& parameters, const Point& best,
                              double noise, const std::vector<Spread>& spreads,
                              const std::vector<double>& covariance = {});

/// Half the width of the 95 % interval, in standard errors.
double quantile(double freedom);

/// For each parameter, whether the residuals depend on it, from the columns of R: more than
/// rounding does, over the whole width of its bounds.
std::vector<bool> has_effect(const QrFactors& qr, const std::vector<FreeParameter>& parameters);

}  // namespace beadwave::fit
