#include "mechanism/complementary.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace beadwave::mechanism {
namespace {

/// What of a number is rounding.
constexpr double rounding = 1e-12;

/// The part of A and b of the rows that act.
std::vector<double> solved_for(const Matrix& a, std::span<const double> b,
                               const std::vector<bool>& acts) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < a.order; ++i) {
        if (acts[i]) rows.push_back(i);
    }
    Matrix part(rows.size());
    std::vector<double> right(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        right[i] = b[rows[i]];
        for (std::size_t j = 0; j < rows.size(); ++j)
            part(i, j) = a(rows[i], rows[j]);
    }
    const std::vector<double> found = solved(part, right);
    std::vector<double> x(a.order, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        x[rows[i]] = found[i];
    return x;
}

}  // namespace

std::vector<double> solved(const Matrix& given, std::span<const double> b) {
    // Gauss, the largest of the diagonal first; a row that is left with nothing is one that others
    // determine.
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
        double rest = right[row];
        for (std::size_t later = k + 1; later < order.size(); ++later)
            rest -= a(row, order[later]) * x[order[later]];
        x[row] = rest / a(row, row);
    }
    return x;
}

std::vector<double> complementary(const Matrix& a, std::span<const double> b) {
    const std::size_t n = a.order;
    double largest = 0.0;
    for (const double number : b)
        largest = std::max(largest, std::abs(number));
    std::vector<bool> acts(n);
    for (std::size_t i = 0; i < n; ++i)
        acts[i] = b[i] > 0.0;
    constexpr int most = 10000;  // a handful of contacts: far more than they have states
    for (int attempt = 0; attempt < most; ++attempt) {
        const std::vector<double> x = solved_for(a, b, acts);
        std::size_t wrong = n;
        for (std::size_t i = 0; i < n && wrong == n; ++i) {
            double slack = -b[i];
            for (std::size_t j = 0; j < n; ++j)
                slack += a(i, j) * x[j];
            if (acts[i] ? a(i, i) * x[i] < -rounding * largest : slack < -rounding * largest)
                wrong = i;
        }
        if (wrong < n) {
            acts[wrong] = !acts[wrong];
            continue;
        }
        std::vector<double> pushes = x;
        for (double& push : pushes)
            push = std::max(push, 0.0);
        return pushes;
    }
    throw std::runtime_error("the impulses of contacts that close at once cannot be found");
}

}  // namespace beadwave::mechanism
