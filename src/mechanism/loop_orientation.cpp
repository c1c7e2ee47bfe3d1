#include "mechanism/loop_orientation.hpp"

#include "mechanism/row_product.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace beadwave::mechanism {
namespace {

using Rows = LoopOrientation::Rows;

double row_length(const std::vector<double>& row) {
    return std::sqrt(row_product(row, row));
}

/// Adds the part of `row` that is perpendicular to the orthonormal rows, with length 1. False if
/// no more than `least` is left of its length.
bool add_perpendicular(Rows& rows, std::vector<double> row, double least) {
    for (int pass = 0; pass < 2; ++pass) {  // the second pass removes the rounding of the first
        for (const std::vector<double>& other : rows) {
            const double along = row_product(row, other);
            for (std::size_t k = 0; k < row.size(); ++k)
                row[k] -= along * other[k];
        }
    }
    const double left = row_length(row);
    if (!(left > least)) return false;
    for (double& number : row)
        number /= left;
    rows.push_back(std::move(row));
    return true;
}

/// The sign of the determinant of a square matrix that is not singular.
int sign_of_determinant(Rows rows) {
    int sign = 1;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto largest = std::max_element(
            rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
            [k](const auto& a, const auto& b) { return std::abs(a[k]) < std::abs(b[k]); });
        if (largest != rows.begin() + static_cast<std::ptrdiff_t>(k)) {
            std::swap(*largest, rows[k]);
            sign = -sign;
        }
        if (rows[k][k] < 0.0) sign = -sign;
        for (std::size_t r = k + 1; r < rows.size(); ++r) {
            const double factor = rows[r][k] / rows[k][k];
            for (std::size_t c = k; c < rows.size(); ++c)
                rows[r][c] -= factor * rows[k][c];
        }
    }
    return sign;
}

/// Any orthonormal rows that complete `rows` to a basis.
Rows completed(Rows rows, std::size_t coordinates) {
    for (std::size_t k = 0; k < coordinates && rows.size() < coordinates; ++k) {
        std::vector<double> unit(coordinates, 0.0);
        unit[k] = 1.0;
        add_perpendicular(rows, std::move(unit), 1e-3);
    }
    return rows;
}

}  // namespace

bool LoopOrientation::dependent(const Rows& jacobian, double least) {
    double longest = 0.0;
    for (const std::vector<double>& row : jacobian)
        longest = std::max(longest, row_length(row));
    Rows rows;
    return !std::ranges::all_of(
        jacobian, [&](const auto& row) { return add_perpendicular(rows, row, least * longest); });
}

bool LoopOrientation::passes(const Rows& jacobian) {
    if (jacobian.empty()) return false;
    const std::size_t coordinates = jacobian.front().size();
    Rows rows;
    for (const std::vector<double>& row : jacobian) {
        constexpr double independent = 1e-9;
        if (!add_perpendicular(rows, row, independent * row_length(row))) return false;
    }
    const std::size_t conditions = rows.size();
    // The basis turns little within a step; where it turns by more, nothing is known.
    bool continued = sign_ != 0;
    if (continued) {
        constexpr double little = 0.3;
        Rows all = rows;
        for (const std::vector<double>& old : basis_)
            continued = continued && add_perpendicular(all, old, little);
        if (continued) rows = std::move(all);
    }
    if (!continued) rows = completed(std::move(rows), coordinates);
    if (rows.size() != coordinates) return false;
    const int sign = sign_of_determinant(rows);
    const bool passed = continued && sign != sign_;
    basis_.assign(rows.begin() + static_cast<std::ptrdiff_t>(conditions), rows.end());
    sign_ = sign;
    return passed;
}

void LoopOrientation::serialize(Archive& archive) {
    archive(sign_);
    std::size_t count = basis_.size(), length = basis_.empty() ? 0 : basis_.front().size();
    archive(count), archive(length);
    constexpr std::size_t most = 1000;
    if (sign_ < -1 || sign_ > 1 || count > most || length > most)
        throw std::length_error("the saved state is damaged");
    basis_.resize(count, std::vector<double>(length));
    for (std::vector<double>& row : basis_) {
        row.resize(length);
        for (double& number : row)
            archive(number);
    }
}

}  // namespace beadwave::mechanism
