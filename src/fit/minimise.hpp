// Bounded nonlinear least squares, by Ceres.
//
// Ceres, of the libraries at hand, because it has what this needs together: Levenberg-Marquardt for
// sums of squares, bounds on parameters, and points where the model has no value. GSL's
// multifit_nlinear has no bounds; NLopt has them, but nothing that knows sums of squares.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace beadwave::fit {

/// What the sum of squares looks like from one point, whatever the number of data: residuals r and
/// their derivatives J, turned by the same rotation so that J is a triangle. |r| and J' r, J' J
/// stay.
struct Local {
    std::vector<double> triangle;  ///< R, p x p, a row a row; below the diagonal 0
    std::vector<double> along;     ///< the p parts of r that J reaches
    double beyond = 0.0;           ///< the size of the rest of r

    double sum_of_squares() const;
};

struct LeastSquares {
    std::vector<double> start, low, high;  ///< low <= start <= high
    /// False where the model has no value. Without `derivatives` only the sum of squares matters.
    std::function<bool(std::span<const double> x, bool derivatives, Local&)> evaluate;
    /// Asked at the start and after each step that was taken, with what evaluate() said there; true
    /// ends the search.
    std::function<bool(std::span<const double> x, const Local&)> enough;
    int most_steps = 50;
};

/// The best point that was found. Throws std::runtime_error if evaluate() fails at the start or the
/// module with Ceres cannot be loaded; what evaluate() throws passes through.
std::vector<double> minimise(const LeastSquares& problem);

namespace ceres_module {
inline constexpr const char* minimise_name = "beadwave_minimise";
/// Returns what went wrong, or null. Exceptions do not pass through Ceres: see load_minimise.cpp.
using Minimise = const char* (*)(const LeastSquares*, std::vector<double>*);
}  // namespace ceres_module

}  // namespace beadwave::fit
