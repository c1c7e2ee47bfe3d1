// Linear systems of which only products with the matrix are known.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace beadwave::orbits {

using Product = std::function<std::vector<double>(const std::vector<double>&)>;

struct Gmres {
    std::vector<double> x{};
    std::size_t products = 0;
    double error = 0.0;  ///< |right - A x| / |right| [1]
};

/// GMRES (Saad, Schultz 1986) without restarts for A x = right, with the preconditioner on the
/// right side: `precondition` multiplies by a matrix near the inverse of A. Ends when the error is
/// below `relative`, or after `most` products.
Gmres gmres(const Product& multiply, const Product& precondition, const std::vector<double>& right,
            double relative, std::size_t most);

/// Orthogonal directions of the Krylov space of a vector and what the matrix makes of them.
class Arnoldi {
  public:
    /// `start` is not zero.
    explicit Arnoldi(std::vector<double> start);

    const std::vector<double>& last() const { return basis_.back(); }
    std::size_t size() const { return column_.size(); }  ///< of products so far
    /// Adds the product of the matrix with last(). False: it adds no direction to the space.
    bool add(std::vector<double> product);

    /// The component k of the product number j, k up to j + 1.
    double component(std::size_t k, std::size_t j) const { return column_[j][k]; }
    /// The sum of the directions with these factors.
    std::vector<double> combined(const std::vector<double>& factors) const;

  private:
    std::vector<std::vector<double>> basis_, column_;
};

}  // namespace beadwave::orbits
