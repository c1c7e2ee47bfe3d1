// Cholesky's decomposition of the stiffness of beads that feel a few neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace beadwave::chain {

/// A symmetric matrix with entries up to `width` beside its diagonal.
class SymmetricBand {
  public:
    SymmetricBand(std::size_t size, std::size_t width)
        : size_(size), width_(width), entries_(size * (width + 1)) {}

    double& at(std::size_t row, std::size_t column) {  // column <= row
        return entries_[row * (width_ + 1) + (row - column)];
    }

    /// Solves in place by Cholesky's decomposition; false if it is not positive definite.
    bool solve(std::vector<double>& x) {
        for (std::size_t i = 0; i < size_; ++i) {
            const std::size_t first = i - std::min(i, width_);
            for (std::size_t j = first; j <= i; ++j) {
                double sum = at(i, j);
                for (std::size_t k = std::max(first, j - std::min(j, width_)); k < j; ++k)
                    sum -= at(i, k) * at(j, k);
                if (j < i) {
                    at(i, j) = sum / at(j, j);
                } else {
                    if (!(sum > 0.0)) return false;
                    at(i, i) = std::sqrt(sum);
                }
            }
            for (std::size_t k = first; k < i; ++k)
                x[i] -= at(i, k) * x[k];
            x[i] /= at(i, i);
        }
        for (std::size_t i = size_; i-- > 0;) {
            x[i] /= at(i, i);
            for (std::size_t k = i - std::min(i, width_); k < i; ++k)
                x[k] -= at(i, k) * x[i];
        }
        return true;
    }

  private:
    std::size_t size_, width_;
    std::vector<double> entries_;
};

}  // namespace beadwave::chain
