// A curve through given points that rises wherever they do (PCHIP), with its exact integral.
#pragma once

#include <memory>
#include <vector>

namespace beadwave::laws {

class MonotoneCurve {
  public:
    MonotoneCurve() = default;

    /// Takes at least four points; x must be strictly ascending.
    MonotoneCurve(std::vector<double> x, std::vector<double> y);

    double begin() const { return knots_.front(); }
    double end() const { return knots_.back(); }

    /// x is brought into [begin, end].
    double operator()(double x) const;
    double slope(double x) const;
    /// The integral from `begin` to x.
    double integral(double x) const;

  private:
    double inside(double x) const;

    std::vector<double> knots_;
    std::vector<double> integrals_;  ///< from `begin` to each knot
    struct Interpolant;
    std::shared_ptr<const Interpolant> curve_;
};

}  // namespace beadwave::laws
