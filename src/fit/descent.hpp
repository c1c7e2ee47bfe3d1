// Descends from a start to the nearest minimum of the sum of squares.
#pragma once

#include "fit/minimise.hpp"
#include "fit/residual_function.hpp"

#include <span>
#include <vector>

namespace beadwave::fit {

struct Point {
    std::vector<double> x;  ///< all parameters
    /// The factors at x, per unit of each parameter's span high - low.
    QrFactors qr;
    /// Whether the parameter is at a bound that the minimum lies beyond.
    std::vector<bool> at_bound;
};

/// Varies the parameters that are `free` and holds the others. Ends when the next step would be
/// less than `part` of a standard error, or zero. Throws as ForwardModel::at() does at the start;
/// later, a point where a run fails is avoided.
Point descend(ResidualFunction& function, std::span<const double> start,
              const std::vector<bool>& free, const Target& target, const Weights& weights,
              double part);

/// How far the minimum of the linear problem is, in standard errors of the residuals' own noise; 0
/// if no parameter is farther from it than a millionth of its span. `freedom`: of the residuals.
double distance_to_minimum(const QrFactors& qr, double freedom);

/// The factors at x, per unit of each parameter's span.
QrFactors factors_at(ResidualFunction& function, std::span<const double> x, const Target& target,
                     const Weights& weights);

/// The least-squares problem of `qr` with these columns only.
QrFactors reduced(const QrFactors& qr, const std::vector<bool>& keep);

}  // namespace beadwave::fit
