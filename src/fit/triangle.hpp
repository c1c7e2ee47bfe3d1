// Small dense algebra of least squares, in a fixed order: the same bits on any number of threads.
#pragma once

#include "fit/minimise.hpp"

#include <vector>

namespace beadwave::fit {

/// Rotates columns (each as long as `residuals`) and residuals, by Gram and Schmidt.
Local rotated(std::vector<std::vector<double>> columns, std::vector<double> residuals);

/// Singular values of a p x p matrix, a row a row, largest first, and the right singular vectors,
/// a row each. By Jacobi's one-sided rotations, which keep small singular values' digits.
struct Singular {
    std::vector<double> values;
    std::vector<std::vector<double>> vectors;
};
Singular singular(std::vector<double> matrix, std::size_t p);

/// (R' R)^-1 of a triangle with nothing but non-zeros on its diagonal.
std::vector<double> inverse_of_square(const std::vector<double>& triangle, std::size_t p);

/// R x = b.
std::vector<double> solve(const std::vector<double>& triangle, std::vector<double> b);

}  // namespace beadwave::fit
