#include "mechanism/linear_complementarity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

/// Relative size of rounding.
constexpr double rounding = 1e-12;

/// Solves the rows that are active; the other components are 0.
std::vector<double> solve_active(const Matrix& a, std::span<const double> b,
                                 const std::vector<bool>& active) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < a.order; ++i) {
        if (active[i]) rows.push_back(i);
    }
    Matrix part(rows.size());
    std::vector<double> right(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        right[i] = b[rows[i]];
        for (std::size_t j = 0; j < rows.size(); ++j)
            part(i, j) = a(rows[i], rows[j]);
    }
    const std::vector<double> found = solve_semidefinite(part, right);
    std::vector<double> x(a.order, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        x[rows[i]] = found[i];
    return x;
}

}  // namespace

std::vector<double> solve_semidefinite(const Matrix& given, std::span<const double> b) {
    // Gaussian elimination, the largest diagonal element first. A row of which only rounding
    // remains is determined by the others.
    Matrix a = given;
    const std::size_t n = a.order;
    std::vector<double> right(b.begin(), b.end()), x(n, 0.0);
    std::vector<std::size_t> order;
    std::vector<bool> used(n, false);
    for (std::size_t count = 0; count < n; ++count) {
        std::size_t pivot = n;
        for (std::size_t i = 0; i < n; ++i) {
            if (!used[i] && (pivot == n || a(i, i) > a(pivot, pivot))) pivot = i;
        }
        if (!(a(pivot, pivot) > rounding * given(pivot, pivot))) break;
        used[pivot] = true;
        order.push_back(pivot);
        for (std::size_t i = 0; i < n; ++i) {
            if (used[i]) continue;
            const double factor = a(i, pivot) / a(pivot, pivot);
            for (std::size_t j = 0; j < n; ++j)
                a(i, j) -= factor * a(pivot, j);
            right[i] -= factor * right[pivot];
        }
    }
    for (std::size_t k = order.size(); k-- > 0;) {
        const std::size_t row = order[k];
        double remainder = right[row];
        for (std::size_t later = k + 1; later < order.size(); ++later)
            remainder -= a(row, order[later]) * x[order[later]];
        x[row] = remainder / a(row, row);
    }
    return x;
}

std::vector<double> solve_lcp(const Matrix& a, std::span<const double> b) {
    const std::size_t n = a.order;
    double largest = 0.0;
    for (const double number : b)
        largest = std::max(largest, std::abs(number));
    std::vector<bool> active(n);
    for (std::size_t i = 0; i < n; ++i)
        active[i] = b[i] > 0.0;
    constexpr int most = 10000;  // for a handful of contacts: far more than their combinations
    for (int pass = 0; pass < most; ++pass) {
        const std::vector<double> x = solve_active(a, b, active);
        std::size_t wrong = n;
        for (std::size_t i = 0; i < n && wrong == n; ++i) {
            double residual = -b[i];
            for (std::size_t j = 0; j < n; ++j)
                residual += a(i, j) * x[j];
            if (active[i] ? a(i, i) * x[i] < -rounding * largest : residual < -rounding * largest)
                wrong = i;
        }
        if (wrong < n) {
            active[wrong] = !active[wrong];
            continue;
        }
        std::vector<double> forces = x;
        for (double& force : forces)
            force = std::max(force, 0.0);
        return forces;
    }
    throw std::runtime_error("the impulses of contacts that close at once cannot be found");
}

}  // namespace beadwave::mechanism
