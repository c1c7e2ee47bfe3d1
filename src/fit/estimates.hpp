// Parameter estimates and their uncertainties from the smallest sum of squares.
#pragma once

#include "fit/fit.hpp"

#include <vector>

namespace beadwave::fit {

struct Estimates {
    std::vector<Estimate> estimates;
    std::vector<double> correlation;  ///< p x p; NaN where unknown
};

/// `noise`: standard deviation of a weighted residual. `freedom`: degrees of freedom, the number of
/// data minus the number of parameters; infinite if the noise was given.
Estimates estimate_parameters(const std::vector<FreeParameter>& parameters, const Point& best,
                              double noise, double freedom);

/// Half the width of the 95 % interval, in standard errors.
double quantile(double freedom);

/// For each parameter, whether the residuals depend on it, from the columns of R.
std::vector<bool> has_effect(const QrFactors& qr);

}  // namespace beadwave::fit
