#include "orbits/solver.hpp"

#include "orbits/band.hpp"
#include "orbits/gmres.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace beadwave::orbits {
namespace {

/// One more column and one more row.
Matrix bordered(const Matrix& jacobian, const Border& border) {
    const std::size_t n = jacobian.columns;
    Matrix all(jacobian.rows + 1, n + 1);
    for (std::size_t i = 0; i < jacobian.rows; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            all(i, j) = jacobian(i, j);
        all(i, n) = border.column[i];
    }
    for (std::size_t j = 0; j < n; ++j)
        all(jacobian.rows, j) = border.row[j];
    all(jacobian.rows, n) = border.corner;
    return all;
}

}  // namespace

void Solver::set(const std::vector<double>& x, double parameter, const Units& units,
                 std::vector<double>& residual) {
    const bool whole = !problem_.by_products();
    problem_.evaluate(x, parameter, units, residual, whole ? &jacobian_ : nullptr);
    if (whole) return;
    x_ = x;
    parameter_ = parameter;
    units_ = units;
}

std::vector<double> Solver::solve(const std::vector<double>& right, const Border* border) {
    if (problem_.by_products()) return solve_by_products(right, border);
    return least_squares(border != nullptr ? bordered(jacobian_, *border) : jacobian_, right);
}

void Solver::fold(std::vector<double>& numbers) const {
    if (!problem_.centred()) return;
    const std::size_t n = problem_.size();
    for (std::size_t i = 0; i < n; ++i)
        numbers[i] += numbers[n];
    numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(n));
}

std::vector<double> Solver::solve_by_products(std::vector<double> right, const Border* border) {
    constexpr double relative = 1e-11;
    constexpr std::size_t many = 12, most = 40;
    const std::size_t n = problem_.size();
    fold(right);
    std::vector<double> column;
    if (border != nullptr) {
        column = border->column;
        fold(column);
    }
    const auto multiply = [&](const std::vector<double>& d) {
        std::vector<double> product = problem_.along(x_, parameter_, units_, std::span(d).first(n));
        fold(product);
        if (border == nullptr) return product;
        for (std::size_t i = 0; i < n; ++i)
            product[i] += column[i] * d[n];
        product.push_back(dot(border->row, std::span(d).first(n)) + border->corner * d[n]);
        return product;
    };
    const Product by_band = [&](const std::vector<double>& d) { return precondition(d); };
    const bool fresh = !factors_ || stale_;
    if (fresh) factorise(border);
    Gmres found = gmres(multiply, by_band, right, relative, most);
    if (!fresh && found.error > 1e-6) {
        factorise(border);
        found = gmres(multiply, by_band, right, relative, most);
    }
    stale_ = found.products > many;
    return std::move(found.x);
}

void Solver::factorise(const Border* border) {
    // Products with the exact tangent mend what is missing.
    constexpr double relative = 1e-9;
    const Setting setting = problem_.at(parameter_);
    const Motion motion = problem_.motion(setting, x_, units_.time);
    order_ = setting.map->along_chain();
    Band band = derivative_to(motion, relative);
    const bool turns = problem_.turns();
    if (!turns) {
        for (std::size_t i = 0; i < band.size; ++i)
            band(i, i) -= 1.0;
    }
    // The band may be singular along the chain as a whole, and along the direction of a curve where
    // that of its start is a mode: one bead each is held.
    if (problem_.centred()) band(0, 0) += 1.0;
    if (border != nullptr) {
        std::size_t place = 0;
        double most = 0.0;
        for (std::size_t p = 0; p < order_.size(); ++p) {
            const double here = std::fabs(border->row[order_[p]]);
            if (here > most) most = here, place = turns ? p : 2 * p;
        }
        band(place, place) += 1.0;
    }
    factors_ = modes::lapack::factors_of_band(band.numbers, band.size, band.width);
    const std::size_t height = 3 * band.width + 1;
    for (std::size_t i = 0; i < band.size; ++i) {
        double& pivot = factors_->numbers[i * height + 2 * band.width];
        if (pivot == 0.0) pivot = 1.0;
    }
    stale_ = false;
}

std::vector<double> Solver::precondition(const std::vector<double>& right) const {
    const std::vector<std::size_t>& order = order_;
    const std::size_t n = order.size();
    std::vector<double> solved = right, along(problem_.size());
    const bool turns = problem_.turns();
    for (std::size_t p = 0; p < n; ++p) {
        along[turns ? p : 2 * p] = right[order[p]];
        if (!turns) along[2 * p + 1] = right[n + order[p]];
    }
    modes::lapack::solve(*factors_, along);
    for (std::size_t p = 0; p < n; ++p) {
        solved[order[p]] = along[turns ? p : 2 * p];
        if (!turns) solved[n + order[p]] = along[2 * p + 1];
    }
    return solved;
}

}  // namespace beadwave::orbits
