// The warnings of a fit that has ended, as sentences.
#pragma once

#include "fit/descent.hpp"
#include "fit/fit.hpp"
#include "fit/residual_checks.hpp"
#include "fit/robust_errors.hpp"

#include <span>
#include <vector>

namespace beadwave::fit {

/// The minimum that a fit has ended at.
struct FoundMinimum {
    const std::vector<Point>& others;  ///< where other starts ended
    const Point& best;
    double noise;  ///< of a residual
    double left;   ///< distance of the next step [standard errors]
};

/// Another minimum that fits as well, a fit that has not converged (then `converged` becomes
/// false), remarks on estimates, and pairs of estimates that the measurement hardly distinguishes.
void warn_of_minimum(LawFit& fit, const FoundMinimum& at);

/// What the residuals of the traces show, unless they are rounding.
void warn_of_residuals(LawFit& fit, const std::vector<TraceRows>& rows, const Allowances& allowed);

/// Estimates that few independent blocks of rows determine.
void warn_of_blocks(LawFit& fit, std::span<const FreeParameter> parameters,
                    const std::vector<bool>& fitted, const ErrorModel& model);

}  // namespace beadwave::fit
