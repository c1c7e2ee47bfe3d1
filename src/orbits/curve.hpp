// A branch of orbits: a curve in the space of x and one parameter, followed by steps of its length,
// so that it may turn back in the parameter (Keller 1977, pseudo-arclength).
#pragma once

#include "orbits/problem.hpp"
#include "orbits/solver.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace beadwave::orbits {

struct CurvePoint {
    std::vector<double> x;
    double parameter;
    /// The direction along the curve, of length 1 in the units of the point.
    std::vector<double> direction{};
    double rate = 0.0;  ///< of the parameter along the curve, in units of `parameter_unit`
    int corrections = 0;
};

/// x at a part of the way between two points.
std::vector<double> between(const CurvePoint& a, const CurvePoint& b, double part);

class Curve {
  public:
    /// `parameter_unit`: a change of the parameter that counts as much as one of x by its own size;
    /// `least` [m]: see Problem::units().
    Curve(const Problem& problem, double parameter_unit, double least)
        : problem_(problem), unit_(parameter_unit), least_(least), solver_(problem) {}

    /// The orbit nearest to the guess in the plane across `direction` and `rate`; its direction
    /// continues theirs. None if Newton's method does not converge.
    std::optional<CurvePoint> correct(const CurvePoint& guess) const;
    /// The orbit after a step of this length from `from`.
    std::optional<CurvePoint> step(const CurvePoint& from, double length) const;
    /// The direction at a point where x is an orbit, towards `rate` above 0 or below.
    CurvePoint start(std::vector<double> x, double parameter, double rate) const;

    const Problem& problem() const { return problem_; }
    double least() const { return least_; }
    double unit() const { return unit_; }
    /// The cosine between the directions at two points.
    double cosine(const CurvePoint& a, const CurvePoint& b) const;

  private:
    /// The derivative of the residual by the parameter / unit.
    std::vector<double> slope(const std::vector<double>& x, double parameter,
                              const Units& units) const;
    /// `solver`: at the point.
    void set_direction(CurvePoint& point, Solver& solver, const Units& units) const;

    const Problem& problem_;
    double unit_, least_;
    mutable Solver solver_;  // what it knows of one point helps at the next
};

}  // namespace beadwave::orbits
