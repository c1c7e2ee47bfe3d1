// Least-squares fits that some papers made.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace beadwave::validation {

/// Coefficients c0 ... c3 of the cubic through (x, y).
inline std::array<double, 4> fit_cubic(const std::vector<double>& x, const std::vector<double>& y) {
    // In t = x - middle the normal equations stay accurate.
    const double middle = 0.5 * (x.front() + x.back());
    std::array<std::array<double, 5>, 4> m{};
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double t = x[k] - middle;
        const std::array<double, 4> powers{1.0, t, t * t, t * t * t};
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = 0; j < 4; ++j)
                m[i][j] += powers[i] * powers[j];
            m[i][4] += powers[i] * y[k];
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t row = 0; row < 4; ++row) {
            if (row == i) continue;
            const double factor = m[row][i] / m[i][i];
            for (std::size_t j = i; j < 5; ++j)
                m[row][j] -= factor * m[i][j];
        }
    }
    std::array<double, 4> c{};
    for (std::size_t i = 0; i < 4; ++i)
        c[i] = m[i][4] / m[i][i];
    // Back to powers of x.
    const double s = -middle;
    return {c[0] + s * (c[1] + s * (c[2] + s * c[3])), c[1] + s * (2.0 * c[2] + 3.0 * s * c[3]),
            c[2] + 3.0 * s * c[3], c[3]};
}

/// alpha and beta of y = alpha (x^beta - 1) with beta in [low, high]. Every point has its weight.
inline std::pair<double, double> fit_power(const std::vector<double>& x,
                                           const std::vector<double>& y,
                                           const std::vector<double>& weight, double low,
                                           double high) {
    const auto solve = [&](double beta) {
        double bb = 0.0, by = 0.0, yy = 0.0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const double base = std::pow(x[k], beta) - 1.0;
            bb += weight[k] * base * base;
            by += weight[k] * base * y[k];
            yy += weight[k] * y[k] * y[k];
        }
        return std::pair{by / bb, yy - by * by / bb};  // alpha, sum of squares
    };
    const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
    for (int k = 0; k < 40; ++k) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        (solve(a).second < solve(b).second ? high : low) =
            solve(a).second < solve(b).second ? b : a;
    }
    const double beta = 0.5 * (low + high);
    return {solve(beta).first, beta};
}

}  // namespace beadwave::validation
