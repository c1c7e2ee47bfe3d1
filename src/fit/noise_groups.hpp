// The noise of peaks and of arrivals, and what it costs that both are estimated.
#pragma once

#include "fit/residual_function.hpp"

#include <array>
#include <limits>
#include <vector>

namespace beadwave::fit {

/// The distribution of an estimate divided by its standard error: Student's, with `freedom`
/// degrees of freedom; infinite if the noise is known. `widening`: the standard error, divided by
/// that for exact weights.
struct Spread {
    double freedom = std::numeric_limits<double>::infinity(), widening = 1.0;
};

/// Two groups of residuals that have different noise, fitted together. The first is that of the
/// peaks, the second that of the arrivals.
struct NoiseGroups {
    std::array<double, 2> freedom{};      ///< number of residuals minus what the parameters absorb
    std::array<double, 2> mean_square{};  ///< sum of squares per degree of freedom
    std::vector<double> arrival_share;    ///< per column: the part of its variance that the noise
                                          ///< of the arrivals causes, 0 to 1
};

/// `all`: the residuals of the two groups alternate. The columns are those of parameters that the
/// residuals determine; each group has more residuals than there are columns.
NoiseGroups noise_groups(const Residuals& all);

/// The spread of a parameter with this share of its variance from the arrivals. The widening for
/// estimated weights: Meier, Biometrics 9 (1953) 59. The degrees of freedom are the harmonic mean
/// of those of the groups: fewer than Satterthwaite's, which assume known weights and are too many
/// for a handful of sensors. They are infinite in a group whose noise is known.
Spread spread_of(double arrival_share, const std::array<double, 2>& freedom);

}  // namespace beadwave::fit
