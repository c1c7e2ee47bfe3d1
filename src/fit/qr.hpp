// Small dense linear algebra for least squares. The order of operations is fixed: the result is the
// same to the bit on any number of threads.
#pragma once

#include "fit/minimise.hpp"

#include <vector>

namespace beadwave::fit {

/// The QR factorisation of a matrix of columns, each as long as `residuals`, by the modified
/// Gram-Schmidt method, applied to the residuals too.
QrFactors qr_factorise(std::vector<std::vector<double>> columns, std::vector<double> residuals);

/// Singular values of a p x p matrix, stored by rows, largest first, and the right singular
/// vectors, one row each. One-sided Jacobi rotations: small singular values keep their digits.
struct SingularValues {
    std::vector<double> values;
    std::vector<std::vector<double>> vectors;
};
SingularValues singular_values(std::vector<double> matrix, std::size_t p);

/// (R' R)^-1 of an upper triangle R without zeros on its diagonal.
std::vector<double> inverse_normal_matrix(const std::vector<double>& r, std::size_t p);

/// The solution of R x = b, where R is an upper triangle.
std::vector<double> solve_upper(const std::vector<double>& r, std::vector<double> b);

}  // namespace beadwave::fit
