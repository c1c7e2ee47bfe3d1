#include "mechanism/cone_split.hpp"

#include "mechanism/coulomb_forces.hpp"
#include "mechanism/row_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace beadwave::mechanism {
namespace {

void add(std::vector<double>& to, double factor, const std::vector<double>& direction) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * direction[i];
}

/// The conditions of the cones as sums that must not be negative: one row each.
std::vector<std::vector<double>> rows_of(const std::vector<Cone>& cones, std::size_t unknowns) {
    std::vector<std::vector<double>> rows;
    for (const Cone& cone : cones) {
        std::vector<double> row(unknowns, 0.0);
        row[cone.normal] = 1.0;
        if (cone.tangential == Cone::none) {
            rows.push_back(std::move(row));
            continue;
        }
        row[cone.normal] = cone.friction;
        for (const double sign : {1.0, -1.0}) {
            row[cone.tangential] = sign;
            rows.push_back(row);
        }
    }
    return rows;
}

/// How the rows change along the free directions.
std::vector<std::vector<double>> slopes_of(const std::vector<std::vector<double>>& rows,
                                           const Solutions& solutions) {
    std::vector<std::vector<double>> slopes;
    for (const auto& row : rows) {
        slopes.emplace_back();
        for (const auto& direction : solutions.free)
            slopes.back().push_back(row_product(row, direction));
    }
    return slopes;
}

/// The solution of largest margin, by a linear program: both sides of its duality are one linear
/// complementarity problem.
std::vector<double> most_inside(const Solutions& solutions, const std::vector<Cone>& cones) {
    const std::vector<double>& least = solutions.least;
    const auto rows = rows_of(cones, least.size());
    const auto slopes = slopes_of(rows, solutions);
    const std::size_t n = rows.size(), directions = solutions.free.size();
    const double start = margin_of(least, cones);
    double largest = 0.0;
    for (const double number : least)
        largest = std::max(largest, std::abs(number));
    // Bodies can be wedged: the margin then has no bound.
    const double bound = 10.0 * largest;
    // Unknown: n + 1 multipliers; the growth of the margin; forward and backward steps.
    const std::size_t first = n + 1;
    Matrix m(first + 1 + 2 * directions);
    std::vector<double> q(m.order, 0.0);
    const auto couple = [&](std::size_t row, std::size_t column, double number) {
        m(row, column) = number;
        m(column, row) = -number;
    };
    for (std::size_t i = 0; i < n; ++i) {
        q[i] = row_product(rows[i], least) - start;
        couple(i, first, -1.0);
        for (std::size_t d = 0; d < directions; ++d) {
            couple(i, first + 1 + d, slopes[i][d]);
            couple(i, first + 1 + directions + d, -slopes[i][d]);
        }
    }
    q[n] = bound;
    couple(n, first, -1.0);
    q[first] = -largest;  // of the size of the others: Lemke's method knows one rounding
    std::vector<double> x = least;
    const auto found = solve_lemke(m, q);
    if (!found) return x;
    for (std::size_t d = 0; d < directions; ++d) {
        add(x, (*found)[first + 1 + d] - (*found)[first + 1 + directions + d], solutions.free[d]);
    }
    return margin_of(x, cones) > start ? x : least;
}

}  // namespace

Solutions solve_all(Matrix a, std::vector<double> b, const std::vector<double>& diagonal) {
    const std::size_t n = a.order;
    double largest = 0.0;
    for (const double number : diagonal)
        largest = std::max(largest, number);
    // A body that a motor drives yields to no force, up to rounding.
    constexpr double no_response = 1e-14;
    std::vector<double> scale;
    for (const double number : diagonal)
        scale.push_back(largest > 0.0 ? 1.0 / std::sqrt(std::max(number, no_response * largest))
                                      : 1.0);
    largest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        b[i] *= scale[i];
        for (std::size_t j = 0; j < n; ++j) {
            a(i, j) *= scale[i] * scale[j];
            largest = std::max(largest, std::abs(a(i, j)));
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> pivots;
    std::vector<bool> used_row(n, false), used_column(n, false);
    for (std::size_t count = 0; count < n; ++count) {
        std::size_t row = n, column = n;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                if (used_row[i] || used_column[j]) continue;
                if (row == n || std::abs(a(i, j)) > std::abs(a(row, column))) row = i, column = j;
            }
        }
        constexpr double rounding = 1e-12;
        if (!(std::abs(a(row, column)) > rounding * largest)) break;
        used_row[row] = used_column[column] = true;
        pivots.emplace_back(row, column);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == row) continue;
            const double factor = a(i, column) / a(row, column);
            for (std::size_t j = 0; j < n; ++j)
                a(i, j) -= factor * a(row, j);
            b[i] -= factor * b[row];
        }
    }
    Solutions all;
    all.least.assign(n, 0.0);
    for (const auto& [row, column] : pivots)
        all.least[column] = scale[column] * b[row] / a(row, column);
    for (std::size_t free = 0; free < n; ++free) {
        if (used_column[free]) continue;
        std::vector<double> direction(n, 0.0);
        direction[free] = scale[free];
        for (const auto& [row, column] : pivots)
            direction[column] = -scale[column] * a(row, free) / a(row, column);
        for (const auto& earlier : all.free)
            add(direction, -row_product(direction, earlier), earlier);
        const double length = std::sqrt(row_product(direction, direction));
        for (double& number : direction)
            number /= length;
        all.free.push_back(std::move(direction));
    }
    for (const auto& direction : all.free)
        add(all.least, -row_product(all.least, direction), direction);
    return all;
}

double margin_of(const std::vector<double>& x, const std::vector<Cone>& cones) {
    double margin = std::numeric_limits<double>::infinity();
    for (const Cone& cone : cones) {
        const double normal = x[cone.normal];
        margin = std::min(margin, cone.tangential == Cone::none
                                      ? normal
                                      : cone.friction * normal - std::abs(x[cone.tangential]));
    }
    return margin;
}

std::vector<double> within_cones(const Solutions& solutions, const std::vector<Cone>& cones) {
    const std::vector<double>& least = solutions.least;
    if (solutions.free.empty() || margin_of(least, cones) >= 0.0) return least;
    // The multipliers of the conditions: each shifts x along its own row, as far as that is free.
    const auto rows = rows_of(cones, least.size());
    const auto slopes = slopes_of(rows, solutions);
    Matrix m(rows.size());
    std::vector<double> q;
    double largest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        q.push_back(row_product(rows[i], least));
        for (std::size_t j = 0; j < rows.size(); ++j)
            m(i, j) = row_product(slopes[i], slopes[j]);
    }
    for (const double number : least)
        largest = std::max(largest, std::abs(number));
    if (const auto found = solve_lemke(m, q)) {
        std::vector<double> x = least;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t d = 0; d < solutions.free.size(); ++d)
                add(x, (*found)[i] * slopes[i][d], solutions.free[d]);
        }
        constexpr double rounding = 1e-11;
        if (margin_of(x, cones) >= -rounding * largest) return x;
    }
    return most_inside(solutions, cones);
}

double largest_margin(const Solutions& solutions, const std::vector<Cone>& cones) {
    return margin_of(solutions.free.empty() ? solutions.least : most_inside(solutions, cones),
                     cones);
}

}  // namespace beadwave::mechanism
