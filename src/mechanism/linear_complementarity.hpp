// Forces that only push: the linear complementarity problem of unilateral contacts, after J. J.
// Moreau, "Unilateral contact and dry friction in finite freedom dynamics", CISM 302 (1988), 1-82.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::mechanism {

/// A square matrix, row by row.
struct Matrix {
    explicit Matrix(std::size_t rows) : order(rows), numbers(rows * rows, 0.0) {}
    double& operator()(std::size_t row, std::size_t column) {
        return numbers[row * order + column];
    }
    double operator()(std::size_t row, std::size_t column) const {
        return numbers[row * order + column];
    }

    std::size_t order;
    std::vector<double> numbers;
};

/// x with A x = b. A is symmetric and has no negative eigenvalue. Where A is singular (two contacts
/// where one would do), the component that the others determine is 0.
std::vector<double> solve_semidefinite(const Matrix& a, std::span<const double> b);

/// x with x >= 0, A x >= b, and in each row an equality in one of the two. A as above. The method
/// is the least-index method of K. G. Murty, Opsearch 11 (1974) 213-230.
std::vector<double> solve_lcp(const Matrix& a, std::span<const double> b);

}  // namespace beadwave::mechanism
