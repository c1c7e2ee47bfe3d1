#include "orbits/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace beadwave::orbits {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

double largest(std::span<const double> numbers) {
    double most = 0.0;
    for (const double x : numbers)
        most = std::max(most, std::fabs(x));
    return most;
}

std::vector<double> least_squares(Matrix a, std::vector<double> b) {
    const std::size_t m = a.rows, n = a.columns;
    std::vector<double> diagonal(n), sums(n);
    for (std::size_t k = 0; k < n; ++k) {
        double square = 0.0;
        for (std::size_t i = k; i < m; ++i)
            square += a(i, k) * a(i, k);
        const double length = std::copysign(std::sqrt(square), -a(k, k));
        diagonal[k] = length;
        if (length == 0.0) continue;
        // The reflection along v = a_k - length e_k; v is stored in place of a_k.
        a(k, k) -= length;
        const double scale = -1.0 / (length * a(k, k));  // 2 / |v|^2
        // Row by row, as the numbers lie.
        std::fill(sums.begin(), sums.end(), 0.0);
        double of_b = 0.0;
        for (std::size_t i = k; i < m; ++i) {
            const double v = a(i, k);
            of_b += v * b[i];
            for (std::size_t j = k + 1; j < n; ++j)
                sums[j] += v * a(i, j);
        }
        of_b *= scale;
        for (std::size_t i = k; i < m; ++i) {
            const double v = a(i, k);
            b[i] -= of_b * v;
            for (std::size_t j = k + 1; j < n; ++j)
                a(i, j) -= scale * sums[j] * v;
        }
    }
    const double least = 1e-13 * largest(diagonal);
    std::vector<double> x(n);
    for (std::size_t k = n; k-- > 0;) {
        double rest = b[k];
        for (std::size_t j = k + 1; j < n; ++j)
            rest -= a(k, j) * x[j];
        x[k] = std::fabs(diagonal[k]) > least ? rest / diagonal[k] : 0.0;
    }
    return x;
}

}  // namespace beadwave::orbits
