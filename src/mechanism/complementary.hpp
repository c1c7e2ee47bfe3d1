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

/// x of A x = b, where A is symmetric and has no negative eigenvalue. What others determine already
/// (two contacts where one would do) is 0.
std::vector<double> solved(const Matrix& a, std::span<const double> b);

/// x with x >= 0, A x >= b, and in each row one of both an equality; A as above. By the least-index
/// method of K. G. Murty, Opsearch 11 (1974) 213-230.
std::vector<double> complementary(const Matrix& a, std::span<const double> b);

}  // namespace beadwave::mechanism
