// How several contacts share a force that fewer could carry. The motion does not tell: the
// equations have many solutions. Each contact only pushes, and friction is at most mu N at each of
// them: among the solutions that obey this, the one with the least sum of squares is taken, which
// changes without jumps when the loads do.
#pragma once

#include "mechanism/linear_complementarity.hpp"

#include <cstddef>
#include <vector>

namespace beadwave::mechanism {

/// All x with A x = b: the one of least norm, and orthonormal directions in which x can change.
struct Solutions {
    std::vector<double> least;
    std::vector<std::vector<double>> free;
};

/// Takes any square matrix; each row and column is compared with others after division by the root
/// of its `diagonal` (zero or above), as masses of any size may meet. If b does not fit, the rows
/// that elimination takes first hold.
Solutions solve_all(Matrix a, std::vector<double> b, const std::vector<double>& diagonal);

/// One contact among the unknowns x: x[normal] >= 0, and |x[tangential]| <= friction x[normal] if
/// it sticks.
struct Cone {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t normal = 0, tangential = none;
    double friction = 0.0;
};

/// The least of x[normal], or of friction x[normal] - |x[tangential]| where a contact sticks [N].
/// Below zero: x breaks the conditions.
double margin_of(const std::vector<double>& x, const std::vector<Cone>& cones);

/// The solution of least norm within the cones. If none is, the one that breaks them least.
std::vector<double> within_cones(const Solutions& solutions, const std::vector<Cone>& cones);

/// The largest margin_of() any solution [N]: below zero, no solution is within the cones.
double largest_margin(const Solutions& solutions, const std::vector<Cone>& cones);

}  // namespace beadwave::mechanism
