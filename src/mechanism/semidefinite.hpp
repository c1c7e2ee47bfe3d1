// Equations with a symmetric matrix that is positive semidefinite, by Cholesky's method with the
// largest diagonal element next. All sums are in a fixed order: those of LAPACK depend, in some
// builds, on where its arrays are in memory, and a run that continues would differ from one that
// was never interrupted.
#pragma once

#include <cstddef>
#include <vector>

namespace beadwave::mechanism {

class Semidefinite {
  public:
    Semidefinite() = default;
    /// Takes at most `most` rows, each the farthest from depending on those before it, and none
    /// that depends on them but for rounding.
    Semidefinite(std::vector<std::vector<double>> matrix, std::size_t most);

    /// The rows that count, the most independent first.
    const std::vector<std::size_t>& rows() const { return rows_; }
    /// Numbers that satisfy the equations of these rows; those of the other rows are zero.
    std::vector<double> solve(const std::vector<double>& right) const;

  private:
    std::vector<std::size_t> rows_;
    std::vector<std::vector<double>> factor_;  ///< lower triangle, by the order of rows_
    std::vector<double> scale_;                ///< of each row of the matrix
};

}  // namespace beadwave::mechanism
