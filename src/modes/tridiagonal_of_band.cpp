#include "modes/tridiagonal_of_band.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::modes {
namespace {

class RotatedBand {
  public:
    /// Has room for one number more per column, which a rotation leaves.
    RotatedBand(const std::vector<double>& band, std::size_t n, std::size_t width)
        : n_(n), width_(width), step_(width + 2), entries_(n * step_) {
        for (std::size_t j = 0; j < n; ++j)
            std::copy_n(band.data() + j * (width + 1), std::min(width + 1, n - j), column(j));
    }

    /// Removes the number at (row, column) by a rotation with the row before, and what that leaves
    /// below the band by others.
    void remove(std::size_t row, std::size_t from) {
        while (row < n_) {
            double* lower = column(from) + (row - from);
            if (*lower == 0.0) return;
            const double length = std::hypot(lower[-1], *lower);
            rotate(row - 1, from, lower[-1] / length, *lower / length);
            lower[-1] = length;
            *lower = 0.0;
            from = row - 1;
            row += width_;
        }
    }

    double* column(std::size_t j) { return entries_.data() + j * step_; }

  private:
    /// Rows and columns p and p + 1; to the left from the column after `from` on.
    void rotate(std::size_t p, std::size_t from, double cosine, double sine) {
        double* row = column(from + 1) + (p - from - 1);
        for (std::size_t j = from + 1; j < p; ++j, row += step_ - 1) {
            const double upper = row[0], lower = row[1];
            row[0] = cosine * upper + sine * lower;
            row[1] = cosine * lower - sine * upper;
        }
        double *left = column(p), *right = column(p + 1);
        const double a = left[0], b = left[1], c = right[0];
        left[0] = cosine * cosine * a + 2.0 * cosine * sine * b + sine * sine * c;
        right[0] = sine * sine * a - 2.0 * cosine * sine * b + cosine * cosine * c;
        left[1] = (cosine - sine) * (cosine + sine) * b + cosine * sine * (c - a);
        // Row p + 1 + width enters column p.
        const std::size_t below = std::min(width_, n_ - 2 - p);
        for (std::size_t k = 1; k <= below; ++k) {
            const double first = left[k + 1], second = right[k];
            left[k + 1] = cosine * first + sine * second;
            right[k] = cosine * second - sine * first;
        }
    }

    std::size_t n_, width_, step_;
    std::vector<double> entries_;
};

}  // namespace

std::vector<double> tridiagonal_of_band(const std::vector<double>& band, std::size_t n,
                                        std::size_t width, const Stop& stop) {
    RotatedBand matrix(band, n, width);
    constexpr std::size_t part = 500'000;  // rotations, less than 0.1 s
    std::size_t rotations = 0;
    for (std::size_t from = 0; from + 2 < n; ++from) {
        for (std::size_t row = std::min(from + width, n - 1); row > from + 1; --row) {
            matrix.remove(row, from);
            rotations += 1 + (n - row) / width;
        }
        if (rotations < part) continue;
        rotations = 0;
        end_if(stop);
    }
    std::vector<double> result(2 * n);
    for (std::size_t j = 0; j < n; ++j)
        std::copy_n(matrix.column(j), std::min<std::size_t>(2, n - j), result.data() + 2 * j);
    return result;
}

}  // namespace beadwave::modes
