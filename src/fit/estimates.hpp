// From a least sum of squares to what it says about each parameter.
#pragma once

#include "fit/fit.hpp"

#include <vector>

namespace beadwave::fit {

struct Judged {
    std::vector<Estimate> estimates;
    std::vector<double> correlation;  ///< p x p, NaN where not known
};

/// `noise`: standard deviation per unit of the weights. `freedom`: data less parameters; infinite
/// where the noise was given.
Judged judge(const std::vector<Parameter>& parameters, const Point& best, double noise,
             double freedom);

/// Half the width of the 95 % interval, in standard errors.
double quantile(double freedom);

/// Whether each changes anything at all, by the columns of the triangle.
std::vector<bool> matters(const Local& local);

}  // namespace beadwave::fit
