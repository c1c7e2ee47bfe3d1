#include "orbits/gmres.hpp"

#include "orbits/matrix.hpp"

#include <cmath>
#include <tuple>
#include <utility>

namespace beadwave::orbits {
namespace {

double norm(const std::vector<double>& a) {
    return std::sqrt(dot(a, a));
}

void add(std::vector<double>& to, double factor, const std::vector<double>& a) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * a[i];
}

/// The factors of the directions for which the error is least, and this error.
std::pair<std::vector<double>, double> least_error(const Arnoldi& space, double right) {
    const std::size_t m = space.size();
    Matrix hessenberg(m + 1, m);
    std::vector<double> b(m + 1);
    b[0] = right;
    for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k <= j + 1; ++k)
            hessenberg(k, j) = space.component(k, j);
    std::vector<double> y = least_squares(hessenberg, b);
    for (std::size_t k = 0; k <= m; ++k)
        for (std::size_t j = 0; j < m; ++j)
            b[k] -= hessenberg(k, j) * y[j];
    return {std::move(y), norm(b)};
}

}  // namespace

Arnoldi::Arnoldi(std::vector<double> start) {
    const double length = norm(start);
    for (double& x : start)
        x /= length;
    basis_.push_back(std::move(start));
}

bool Arnoldi::add(std::vector<double> product) {
    const double before = norm(product);
    std::vector<double> components(basis_.size() + 1);
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan)
        for (std::size_t k = 0; k < basis_.size(); ++k) {
            const double part = dot(basis_[k], product);
            components[k] += part;
            orbits::add(product, -part, basis_[k]);
        }
    }
    const double rest = norm(product);
    const bool more = rest > 1e-14 * before;
    components.back() = more ? rest : 0.0;
    column_.push_back(std::move(components));
    if (!more) return false;
    for (double& x : product)
        x /= rest;
    basis_.push_back(std::move(product));
    return true;
}

std::vector<double> Arnoldi::combined(const std::vector<double>& factors) const {
    std::vector<double> sum(basis_.front().size());
    for (std::size_t k = 0; k < factors.size(); ++k)
        orbits::add(sum, factors[k], basis_[k]);
    return sum;
}

Gmres gmres(const Product& multiply, const Product& precondition, const std::vector<double>& right,
            double relative, std::size_t most) {
    Gmres result{.x = std::vector<double>(right.size())};
    const double size = norm(right);
    if (size == 0.0 || !std::isfinite(size)) return result;
    Arnoldi space(right);
    std::vector<double> factors;
    double error = size;
    bool more = true;
    while (more && result.products < most && error > relative * size) {
        more = space.add(multiply(precondition(space.last())));
        ++result.products;
        std::tie(factors, error) = least_error(space, size);
    }
    result.x = precondition(space.combined(factors));
    result.error = error / size;
    return result;
}

}  // namespace beadwave::orbits
