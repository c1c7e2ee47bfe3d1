#include "mechanism/coulomb_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace beadwave::mechanism {
namespace {

constexpr double pivot_rounding = 1e-13;

/// Lemke's tableau: rows of basic variables; columns w, z, the artificial z0, and the right side.
class Tableau {
  public:
    Tableau(const Matrix& m, std::span<const double> q)
        : n_(m.order), columns_(2 * n_ + 2), cells_(n_ * columns_, 0.0), basis_(n_) {
        for (std::size_t i = 0; i < n_; ++i) {
            cell(i, i) = 1.0;
            for (std::size_t j = 0; j < n_; ++j)
                cell(i, n_ + j) = -m(i, j);
            cell(i, 2 * n_) = -1.0;
            cell(i, columns_ - 1) = q[i];
        }
        std::iota(basis_.begin(), basis_.end(), std::size_t{0});
    }

    std::optional<std::vector<double>> solve() {
        std::size_t row = 0;
        for (std::size_t i = 1; i < n_; ++i) {
            if (right(i) < right(row)) row = i;
        }
        if (n_ == 0 || right(row) >= 0.0) return solution();
        std::size_t entering = 2 * n_;
        const std::size_t most = 100 * n_;
        for (std::size_t pass = 0; pass < most; ++pass) {
            const std::size_t leaving = basis_[row];
            pivot(row, entering);
            if (leaving == 2 * n_) return solution();
            entering = leaving < n_ ? leaving + n_ : leaving - n_;
            const auto next = leaving_row(entering);
            if (!next) return std::nullopt;
            row = *next;
        }
        return std::nullopt;
    }

  private:
    double& cell(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }
    double right(std::size_t row) { return cell(row, columns_ - 1); }

    /// The first row that the entering variable makes zero; of several, that of z0, then the one
    /// with the largest pivot.
    std::optional<std::size_t> leaving_row(std::size_t entering) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < n_; ++i) {
            if (cell(i, entering) > pivot_rounding)
                least = std::min(least, std::max(right(i), 0.0) / cell(i, entering));
        }
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < n_; ++i) {
            if (!(cell(i, entering) > pivot_rounding)) continue;
            const double ratio = std::max(right(i), 0.0) / cell(i, entering);
            if (ratio > least + pivot_rounding) continue;
            if (basis_[i] == 2 * n_) return i;
            if (!best || cell(i, entering) > cell(*best, entering)) best = i;
        }
        return best;
    }

    void pivot(std::size_t row, std::size_t column) {
        const double by = cell(row, column);
        for (std::size_t j = 0; j < columns_; ++j)
            cell(row, j) /= by;
        for (std::size_t i = 0; i < n_; ++i) {
            const double factor = cell(i, column);
            if (i == row || factor == 0.0) continue;
            for (std::size_t j = 0; j < columns_; ++j)
                cell(i, j) -= factor * cell(row, j);
        }
        basis_[row] = column;
    }

    std::vector<double> solution() {
        std::vector<double> z(n_, 0.0);
        for (std::size_t i = 0; i < n_; ++i) {
            if (basis_[i] >= n_ && basis_[i] < 2 * n_) z[basis_[i] - n_] = std::max(right(i), 0.0);
        }
        return z;
    }

    std::size_t n_, columns_;
    std::vector<double> cells_;
    std::vector<std::size_t> basis_;
};

}  // namespace

std::optional<std::vector<double>> solve_lemke(const Matrix& m, std::span<const double> q) {
    // In units in which the largest numbers are 1: then rounding has one meaning.
    double largest = 0.0, most = 0.0;
    for (const double number : m.numbers)
        largest = std::max(largest, std::abs(number));
    for (const double number : q)
        most = std::max(most, std::abs(number));
    if (largest == 0.0 || most == 0.0) return std::vector<double>(m.order, 0.0);
    Matrix scaled = m;
    for (double& number : scaled.numbers)
        number /= largest;
    std::vector<double> right(q.begin(), q.end());
    for (double& number : right)
        number /= most;
    auto z = Tableau(scaled, right).solve();
    if (z) {
        for (double& number : *z)
            number *= most / largest;
    }
    return z;
}

std::optional<CoulombForces> solve(const CoulombProblem& p) {
    const std::size_t n = p.separation.size();
    // The unknowns: each is a force on one contact, or the speed at which one slips.
    struct Unknown {
        std::size_t contact;
        enum class Kind { normal, forward, backward, slip } kind;
    };
    std::vector<Unknown> unknowns;
    double unit = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        unit = std::max(unit, p.response(k, k));
        unknowns.push_back({k, Unknown::Kind::normal});
        if (p.direction[k] != 0.0 || p.friction[k] == 0.0) continue;
        for (const auto kind :
             {Unknown::Kind::forward, Unknown::Kind::backward, Unknown::Kind::slip})
            unknowns.push_back({k, kind});
    }
    // Normal and tangential force of an unknown.
    const auto force_of = [&](const Unknown& u) -> std::pair<double, double> {
        switch (u.kind) {
            case Unknown::Kind::normal:
                return {1.0, -p.friction[u.contact] * p.direction[u.contact]};
            case Unknown::Kind::forward:
                return {0.0, 1.0};
            case Unknown::Kind::backward:
                return {0.0, -1.0};
            case Unknown::Kind::slip:
                break;
        }
        return {0.0, 0.0};
    };
    const auto response = [&](std::size_t row, const Unknown& u) {
        const auto [normal, tangential] = force_of(u);
        return normal * p.response(row, u.contact) + tangential * p.response(row, n + u.contact);
    };
    std::vector<double> given_separation = p.separation, given_slip = p.slip;
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t other = 0; other < n; ++other) {
            given_separation[k] += p.response(k, other) * p.given_normal[other];
            given_slip[k] += p.response(n + k, other) * p.given_normal[other];
        }
    }
    Matrix m(unknowns.size());
    std::vector<double> q;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
        const Unknown& row = unknowns[i];
        const std::size_t k = row.contact;
        const bool normal = row.kind == Unknown::Kind::normal;
        const double sign = row.kind == Unknown::Kind::backward ? -1.0 : 1.0;
        if (row.kind == Unknown::Kind::slip)
            q.push_back(unit * p.friction[k] * p.given_normal[k]);
        else
            q.push_back(normal ? given_separation[k] : sign * given_slip[k]);
        for (std::size_t j = 0; j < unknowns.size(); ++j) {
            const Unknown& column = unknowns[j];
            if (row.kind == Unknown::Kind::slip) {
                if (column.contact != k || column.kind == Unknown::Kind::slip) continue;
                m(i, j) = unit * (column.kind == Unknown::Kind::normal ? p.friction[k] : -1.0);
            } else if (column.kind == Unknown::Kind::slip) {
                m(i, j) = column.contact == k && !normal ? unit : 0.0;
            } else {
                m(i, j) = (normal ? 1.0 : sign) * response(normal ? k : n + k, column);
            }
        }
    }
    const auto z = solve_lemke(m, q);
    if (!z) return std::nullopt;
    CoulombForces found{.normal = p.given_normal,
                        .tangential = std::vector<double>(n, 0.0),
                        .separation = p.separation,
                        .slip = p.slip};
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
        const auto [normal, tangential] = force_of(unknowns[j]);
        found.normal[unknowns[j].contact] += (*z)[j] * normal;
        found.tangential[unknowns[j].contact] += (*z)[j] * tangential;
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t other = 0; other < n; ++other) {
            found.separation[k] += p.response(k, other) * found.normal[other] +
                                   p.response(k, n + other) * found.tangential[other];
            found.slip[k] += p.response(n + k, other) * found.normal[other] +
                             p.response(n + k, n + other) * found.tangential[other];
        }
    }
    return found;
}

}  // namespace beadwave::mechanism
