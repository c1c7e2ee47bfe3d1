#include "mechanism/semidefinite.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beadwave::mechanism {

Semidefinite::Semidefinite(std::vector<std::vector<double>> matrix, std::size_t most)
    : scale_(matrix.size(), 0.0) {
    // The part of a row that the others lack, squared: the sine of an angle of 3e-7.
    constexpr double independent = 1e-13;
    const std::size_t n = matrix.size();
    std::vector<std::size_t> order(n);
    std::vector<double> left(n, 0.0);  // of the diagonal, in this order
    double largest = 0.0;
    for (std::size_t k = 0; k < n; ++k)
        largest = std::max(largest, matrix[k][k]);
    for (std::size_t k = 0; k < n; ++k) {
        order[k] = k;
        if (!(largest > 0.0)) continue;
        // A row that is nearly zero stays short: its direction is rounding.
        scale_[k] = 1.0 / std::sqrt(std::max(matrix[k][k], independent * largest));
        left[k] = scale_[k] * matrix[k][k] * scale_[k];
    }
    std::vector<std::vector<double>> lower(n);
    for (std::size_t k = 0; k < std::min(most, n); ++k) {
        const auto next = static_cast<std::size_t>(
            std::max_element(left.begin() + static_cast<std::ptrdiff_t>(k), left.end()) -
            left.begin());
        if (!(left[next] > independent)) break;
        std::swap(order[k], order[next]);
        std::swap(left[k], left[next]);
        std::swap(lower[k], lower[next]);
        const double pivot = std::sqrt(left[k]);
        const std::vector<double>& row = matrix[order[k]];
        for (std::size_t i = k + 1; i < n; ++i) {
            double part = scale_[order[k]] * row[order[i]] * scale_[order[i]];
            for (std::size_t j = 0; j < k; ++j)
                part -= lower[k][j] * lower[i][j];
            part /= pivot;
            lower[i].push_back(part);
            left[i] -= part * part;
        }
        lower[k].push_back(pivot);
        rows_.push_back(order[k]);
    }
    lower.resize(rows_.size());
    factor_ = std::move(lower);
}

std::vector<double> Semidefinite::solve(const std::vector<double>& right) const {
    const std::size_t n = rows_.size();
    std::vector<double> x(n);
    for (std::size_t k = 0; k < n; ++k) {
        x[k] = scale_[rows_[k]] * right[rows_[k]];
        for (std::size_t j = 0; j < k; ++j)
            x[k] -= factor_[k][j] * x[j];
        x[k] /= factor_[k][k];
    }
    std::vector<double> all(right.size(), 0.0);
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t i = k + 1; i < n; ++i)
            x[k] -= factor_[i][k] * x[i];
        x[k] /= factor_[k][k];
        all[rows_[k]] = scale_[rows_[k]] * x[k];
    }
    return all;
}

}  // namespace beadwave::mechanism
