// Forces, or impulses, of contacts with Coulomb friction as one linear complementarity problem: D.
// E. Stewart, J. C. Trinkle, International Journal for Numerical Methods in Engineering 39 (1996)
// 2673-2691; in the plane it is exact. (CorralReview section 3.1; F. Pfeiffer, C. Glocker,
// "Multibody Dynamics with Unilateral Contacts", 1996.) It is solved by the method of C. E. Lemke,
// Management Science 11 (1965) 681-689.
#pragma once

#include "mechanism/linear_complementarity.hpp"

#include <optional>
#include <span>
#include <vector>

namespace beadwave::mechanism {

/// z with z >= 0, w = M z + q >= 0, and in each row one of z and w zero; empty if the method finds
/// none. M is any square matrix.
std::optional<std::vector<double>> solve_lemke(const Matrix& m, std::span<const double> q);

/// Contacts 0 to n - 1. `response` has 2 n rows and columns [1/kg]: first how forces change the
/// separations, then how they change the slips; in the columns first the normal forces.
struct CoulombProblem {
    explicit CoulombProblem(std::size_t contacts)
        : response(2 * contacts),
          separation(contacts, 0.0),
          slip(contacts, 0.0),
          friction(contacts, 0.0),
          direction(contacts, 0.0),
          given_normal(contacts, 0.0) {}

    Matrix response;
    std::vector<double> separation;  ///< without forces: accelerations, or speeds
    std::vector<double> slip;        ///< along the tangent, without forces
    std::vector<double> friction;    ///< mu [-]
    /// 1 or -1: the contact slips in this direction already, so the tangential force is known from
    /// the normal one. 0: it sticks, or starts to slip as the solution says.
    std::vector<double> direction;
    std::vector<double> given_normal;  ///< normal forces that act in any case
};

struct CoulombForces {
    std::vector<double> normal, tangential;  ///< given_normal is part of the normal ones
    std::vector<double> separation, slip;    ///< with the forces
};

/// Empty if no finite forces are found: the contacts jam (Painleve's paradox).
std::optional<CoulombForces> solve(const CoulombProblem&);

}  // namespace beadwave::mechanism
