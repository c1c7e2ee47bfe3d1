#include "mechanism/redundant_loops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace beadwave::mechanism {
namespace {

using Rows = LoopConditions::Rows;

constexpr std::size_t most_coordinates = 300;  // the work grows as the cube
constexpr double independent = 1e-9;  // the part of a row that the others lack, of the longest row

double product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void remove_part(std::vector<double>& row, const std::vector<double>& unit) {
    const double along = product(row, unit);
    for (std::size_t k = 0; k < row.size(); ++k)
        row[k] -= along * unit[k];
}

/// An orthonormal basis of the rows: the longest remaining row comes next, until `most` are taken
/// or what remains is below `least` of the longest row. `taken`: their numbers.
Rows basis_of(Rows rows, std::size_t most, double least, std::vector<std::size_t>& taken) {
    Rows basis;
    double longest = 0.0;
    while (basis.size() < std::min(most, rows.size())) {
        std::size_t next = 0;
        double square = -1.0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (std::ranges::find(taken, r) != taken.end()) continue;
            const double now = product(rows[r], rows[r]);
            if (now > square) square = now, next = r;
        }
        longest = std::max(longest, std::sqrt(square));
        if (!(std::sqrt(square) > least * longest)) break;
        std::vector<double> unit = rows[next];
        for (const auto& other : basis)  // again, against rounding
            remove_part(unit, other);
        const double size = std::sqrt(product(unit, unit));
        if (!(size > 0.0)) break;
        for (double& number : unit)
            number /= size;
        for (std::vector<double>& row : rows)
            remove_part(row, unit);
        taken.push_back(next);
        basis.push_back(std::move(unit));
    }
    return basis;
}

std::size_t rank_of(const Rows& jacobian, double least) {
    std::vector<std::size_t> taken;
    return basis_of(jacobian, jacobian.size(), least, taken).size();
}

/// x that solves (a + shift) x = b for a positive semidefinite a, by Cholesky's method.
std::vector<double> solve_shifted(Rows a, double shift, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        a[k][k] += shift;
        for (std::size_t j = 0; j < k; ++j)
            a[k][k] -= a[k][j] * a[k][j];
        a[k][k] = std::sqrt(std::max(a[k][k], shift));
        for (std::size_t i = k + 1; i < n; ++i) {
            for (std::size_t j = 0; j < k; ++j)
                a[i][k] -= a[i][j] * a[k][j];
            a[i][k] /= a[k][k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < k; ++j)
            b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t i = k + 1; i < n; ++i)
            b[k] -= a[i][k] * b[i];
        b[k] /= a[k][k];
    }
    return b;
}

/// Moves q until the loops close (Levenberg and Marquardt's method: it needs no rank). False if
/// they do not.
bool close_loops(const LoopConditions& conditions, simbody::Tree& tree, std::vector<double>& q) {
    const std::vector<double> rest(q.size(), 0.0);
    constexpr int most_steps = 60;
    for (int step = 0; step < most_steps; ++step) {
        tree.set(0.0, q.data(), rest.data());
        const std::vector<double> errors = conditions.errors(tree.bodies());
        const double size = std::sqrt(product(errors, errors)) / conditions.length();
        constexpr double closed = 1e-12;
        if (size <= closed) return true;
        const Rows jacobian = conditions.jacobian(tree.bodies(), true);
        Rows normal(q.size(), std::vector<double>(q.size(), 0.0));
        std::vector<double> slope(q.size(), 0.0);
        double largest = 0.0;
        for (std::size_t i = 0; i < q.size(); ++i) {
            for (std::size_t r = 0; r < jacobian.size(); ++r) {
                slope[i] -= jacobian[r][i] * errors[r];
                for (std::size_t k = 0; k < q.size(); ++k)
                    normal[i][k] += jacobian[r][i] * jacobian[r][k];
            }
            largest = std::max(largest, normal[i][i]);
        }
        const std::vector<double> change =
            solve_shifted(std::move(normal), std::max(0.1 * size, 1e-10) * size * largest, slope);
        for (std::size_t k = 0; k < q.size(); ++k)
            q[k] += change[k];
    }
    return false;
}

}  // namespace

std::optional<std::size_t> rank_of_redundant_loops(const LoopConditions& conditions,
                                                   simbody::Tree& tree) {
    const std::size_t n = tree.coordinates(), all = conditions.size();
    if (all == 0 || n > most_coordinates) return std::nullopt;
    constexpr double independent_away = 1e-7;
    std::vector<double> q(n, 0.0);
    const std::vector<double> rest(n, 0.0);
    tree.set(0.0, q.data(), rest.data());
    std::size_t rank = rank_of(conditions.jacobian(tree.bodies(), false), independent);
    if (rank == all) return std::nullopt;
    const Rows jacobian = conditions.jacobian(tree.bodies(), true);
    std::vector<std::size_t> taken;
    const Rows fixed = basis_of(jacobian, all, independent, taken);
    if (fixed.size() == n) return rank;  // nothing moves
    bool moves = false;
    for (int trial = 0; trial < 9; ++trial) {
        // Some motion that the conditions allow at first; the numbers only need to be irregular.
        std::vector<double> way(n);
        for (std::size_t k = 0; k < n; ++k)
            way[k] = std::sin(1.0 + 2.7 * static_cast<double>(k) + 1.3 * (trial % 3));
        for (const auto& unit : fixed)
            remove_part(way, unit);
        constexpr double parts[] = {0.1, 0.02, 0.004};
        const double size = std::sqrt(product(way, way));
        if (!(size > 0.0)) continue;
        // Lengths move by a part of the mechanism's, angles by a part of a radian.
        const double scale = parts[trial / 3] * std::min(1.0, conditions.length()) / size;
        for (std::size_t k = 0; k < n; ++k)
            q[k] = scale * way[k];
        if (!close_loops(conditions, tree, q)) continue;
        if (std::sqrt(product(q, q)) < 0.3 * scale * size) continue;  // back at the start
        moves = true;
        rank = std::max(rank, rank_of(conditions.jacobian(tree.bodies(), false), independent_away));
    }
    q.assign(n, 0.0);
    tree.set(0.0, q.data(), rest.data());
    return moves && rank < all ? std::optional(rank) : std::nullopt;
}

bool allow_motion(const LoopConditions& conditions, simbody::Tree& tree) {
    const std::size_t n = tree.coordinates();
    if (conditions.size() < n || n > most_coordinates) return true;
    const std::vector<double> zero(n, 0.0);
    tree.set(0.0, zero.data(), zero.data());
    return rank_of(conditions.jacobian(tree.bodies(), true), independent) < n;
}

std::vector<double> in_column_space(const Rows& rows, std::size_t rank,
                                    const std::vector<double>& numbers) {
    Rows columns(rows.empty() ? 0 : rows.front().size(), std::vector<double>(rows.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) {
        for (std::size_t r = 0; r < rows.size(); ++r)
            columns[k][r] = rows[r][k];
    }
    std::vector<std::size_t> taken;
    std::vector<double> sum(numbers.size(), 0.0);
    for (const auto& unit : basis_of(std::move(columns), rank, 0.0, taken)) {
        const double along = product(numbers, unit);
        for (std::size_t r = 0; r < sum.size(); ++r)
            sum[r] += along * unit[r];
    }
    return sum;
}

}  // namespace beadwave::mechanism
