#include "fit/qr.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace beadwave::fit {
namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

void subtract(std::vector<double>& a, double factor, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] -= factor * b[i];
}

}  // namespace

QrFactors qr_factorise(std::vector<std::vector<double>> columns, std::vector<double> residuals) {
    const std::size_t p = columns.size();
    QrFactors qr{std::vector<double>(p * p, 0.0), std::vector<double>(p, 0.0), 0.0};
    for (std::size_t k = 0; k < p; ++k) {
        const double size = std::sqrt(product(columns[k], columns[k]));
        qr.r[k * p + k] = size;
        if (size == 0.0) continue;
        for (double& part : columns[k])
            part /= size;
        for (std::size_t j = k + 1; j < p; ++j) {
            const double along = product(columns[k], columns[j]);
            qr.r[k * p + j] = along;
            subtract(columns[j], along, columns[k]);
        }
        qr.qt_residuals[k] = product(columns[k], residuals);
        subtract(residuals, qr.qt_residuals[k], columns[k]);
    }
    qr.remainder = std::sqrt(product(residuals, residuals));
    return qr;
}

SingularValues singular_values(std::vector<double> matrix, std::size_t p) {
    std::vector<std::vector<double>> a(p, std::vector<double>(p)), v = a;
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = 0; j < p; ++j) {
            a[j][i] = matrix[i * p + j];  // a[j]: column j
            v[j][i] = i == j ? 1.0 : 0.0;
        }
    }
    const auto rotate = [](std::vector<double>& x, std::vector<double>& y, double c, double s) {
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double old = x[i];
            x[i] = c * old - s * y[i];
            y[i] = s * old + c * y[i];
        }
    };
    constexpr int most_sweeps = 60;
    bool moved = true;
    for (int sweep = 0; sweep < most_sweeps && moved; ++sweep) {
        moved = false;
        for (std::size_t j = 0; j < p; ++j) {
            for (std::size_t k = j + 1; k < p; ++k) {
                const double jj = product(a[j], a[j]), kk = product(a[k], a[k]);
                const double jk = product(a[j], a[k]);
                if (std::abs(jk) <= 1e-15 * std::sqrt(jj * kk)) continue;
                moved = true;
                const double zeta = (kk - jj) / (2.0 * jk);
                const double t =
                    std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
                const double c = 1.0 / std::sqrt(1.0 + t * t);
                rotate(a[j], a[k], c, c * t);
                rotate(v[j], v[k], c, c * t);
            }
        }
    }
    std::vector<std::size_t> order(p);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t j) { return std::sqrt(product(a[j], a[j])); };
    std::ranges::stable_sort(order,
                             [&](std::size_t j, std::size_t k) { return size(j) > size(k); });
    SingularValues found;
    for (const std::size_t j : order) {
        found.values.push_back(size(j));
        found.vectors.push_back(v[j]);
    }
    return found;
}

std::vector<double> solve_upper(const std::vector<double>& r, std::vector<double> b) {
    const std::size_t p = b.size();
    for (std::size_t k = p; k-- > 0;) {
        for (std::size_t j = k + 1; j < p; ++j)
            b[k] -= r[k * p + j] * b[j];
        b[k] /= r[k * p + k];
    }
    return b;
}

std::vector<double> inverse_normal_matrix(const std::vector<double>& r, std::size_t p) {
    std::vector<double> inverse(p * p);  // R^-1, each row one column
    for (std::size_t k = 0; k < p; ++k) {
        std::vector<double> unit(p, 0.0);
        unit[k] = 1.0;
        std::ranges::copy(solve_upper(r, unit),
                          inverse.begin() + static_cast<std::ptrdiff_t>(k * p));
    }
    std::vector<double> result(p * p, 0.0);
    for (std::size_t i = 0; i < p; ++i) {
        for (std::size_t j = 0; j < p; ++j) {
            for (std::size_t k = 0; k < p; ++k)
                result[i * p + j] += inverse[k * p + i] * inverse[k * p + j];
        }
    }
    return result;
}

}  // namespace beadwave::fit
