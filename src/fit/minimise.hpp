// Bounded nonlinear least squares, by Ceres.
//
// Ceres has all that is needed here: Levenberg-Marquardt for sums of squares, bounds on parameters,
// and points where the residuals have no value. GSL's multifit_nlinear has no bounds. NLopt has
// bounds, but no method for sums of squares.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::fit {

/// The QR factorisation J = Q R of the derivatives J of the residuals f at one point, and Q' f. Its
/// size does not depend on the number of data. |f|, J' f and J' J follow from it.
struct QrFactors {
    std::vector<double> r;             ///< R, p x p, stored by rows; 0 below the diagonal
    std::vector<double> qt_residuals;  ///< Q' f: the p components of f in the columns of J
    double remainder = 0.0;            ///< norm of the other components of f

    double sum_of_squares() const;
};

struct LeastSquares {
    std::vector<double> start, low, high;  ///< low <= start <= high
    /// False where the residuals have no value. Without `derivatives` only the sum of squares is
    /// used.
    std::function<bool(std::span<const double> x, bool derivatives, QrFactors&)> evaluate;
    /// Called at the start and after each accepted step, with the result of evaluate() there; true
    /// ends the search.
    std::function<bool(std::span<const double> x, const QrFactors&)> enough;
    int most_steps = 50;
};

/// The best point found. Throws std::runtime_error if evaluate() fails at the start or the module
/// with Ceres cannot be loaded. Exceptions of evaluate() pass through.
std::vector<double> minimise(const LeastSquares& problem);

namespace ceres_module {
inline constexpr const char* minimise_name = "beadwave_minimise";
/// Returns an error message, or null. Exceptions do not pass through Ceres: see load_minimise.cpp.
using Minimise = const char* (*)(const LeastSquares*, std::vector<double>*);
}  // namespace ceres_module

}  // namespace beadwave::fit
