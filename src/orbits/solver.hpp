// Linear systems with the derivative of a problem's residual by x / scale: of short chains with the
// whole matrix, of long ones by GMRES with products along the exact tangent of the steps. The
// preconditioner is the derivative within a band about the diagonal.
#pragma once

#include "modes/lapack.hpp"
#include "orbits/matrix.hpp"
#include "orbits/problem.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace beadwave::orbits {

/// One more unknown and one more equation.
struct Border {
    std::vector<double> column, row;
    double corner;
};

class Solver {
  public:
    explicit Solver(const Problem& problem) : problem_(problem) {}

    /// The place where the derivative is taken; sets the residual there.
    void set(const std::vector<double>& x, double parameter, const Units& units,
             std::vector<double>& residual);

    /// x of derivative x = right; all calls have a border, or none has.
    std::vector<double> solve(const std::vector<double>& right, const Border* border = nullptr);

  private:
    std::vector<double> solve_by_products(std::vector<double> right, const Border* border);
    /// The equation for the centre of mass added to the others, which are one too many with it.
    void fold(std::vector<double>& numbers) const;
    void factorise(const Border* border);
    std::vector<double> precondition(const std::vector<double>& right) const;

    const Problem& problem_;
    std::vector<double> x_{};
    double parameter_ = 0.0;
    Units units_{};
    Matrix jacobian_{};  // of a short chain
    std::optional<modes::lapack::BandFactors> factors_{};
    std::vector<std::size_t> order_{};  ///< see PeriodMap::along_chain()
    bool stale_ = false;
};

}  // namespace beadwave::orbits
