// Small dense matrices, by rows, and linear least squares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::orbits {

struct Matrix {
    Matrix() = default;
    Matrix(std::size_t row_count, std::size_t column_count)
        : rows(row_count), columns(column_count), numbers(row_count * column_count) {}

    double& operator()(std::size_t i, std::size_t j) { return numbers[i * columns + j]; }
    double operator()(std::size_t i, std::size_t j) const { return numbers[i * columns + j]; }
    bool empty() const { return numbers.empty(); }

    std::size_t rows = 0, columns = 0;
    std::vector<double> numbers{};
};

/// x of least |A x - b|, by Householder's QR; A has at least as many rows as columns. Components
/// along which A has no slope (to 1e-13 of its largest) are 0.
std::vector<double> least_squares(Matrix a, std::vector<double> b);

double dot(std::span<const double> a, std::span<const double> b);
double largest(std::span<const double> numbers);  ///< absolute

}  // namespace beadwave::orbits
