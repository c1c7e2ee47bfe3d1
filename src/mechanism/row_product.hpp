// The product of two rows of a matrix.
#pragma once

#include <numeric>
#include <vector>

namespace beadwave::mechanism {

/// Sum of the products of their numbers; the rows are of equal length.
inline double row_product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace beadwave::mechanism
